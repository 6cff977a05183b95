import {
  type CompactSyntax,
  compactProtocol,
  type EngineProtocol,
  protocolInfo,
} from '@toolglot/parser'
import { UsageError } from './usage-error.js'

/** What `--ablation` can change about a protocol. */
export const ablationNames = [
  'syntax=json',
  'no-manual',
  'placement=first',
  'placement=last',
] as const
export type Ablation = (typeof ablationNames)[number]
export type Placement = 'first' | 'last'

/** A protocol, and what is changed about it. */
export interface Variant {
  readonly protocol: string
  /** Absent: nothing is changed. */
  readonly ablation?: Ablation | undefined
}

/**
 * The compact protocols and their syntaxes. Only they have an explanation that can be left out
 * without the tools.
 */
const compactSyntaxes: Readonly<Record<string, CompactSyntax>> = {
  wire: 'wire',
  compact_json: 'json',
  line: 'line',
}

function compactSyntaxOf(protocol: string): CompactSyntax | undefined {
  return compactSyntaxes[protocolInfo(protocol)?.name ?? protocol]
}

/**
 * The protocol of a variant: its name, or a protocol that has no name because something is changed
 * about it.
 */
export function protocolOf({ protocol, ablation }: Variant): EngineProtocol | string {
  if (ablation === 'syntax=json') return compactProtocol({ syntax: 'json' })
  // The heading stays, so that it is clear what the lines are.
  if (ablation === 'no-manual')
    return compactProtocol({ syntax: compactSyntaxOf(protocol), manualHeader: '# Tools' })
  return protocol
}

/** Where a variant has its tools in the system message. */
export function placementOf({ ablation }: Variant, placement: Placement): Placement {
  if (ablation === 'placement=first') return 'first'
  return ablation === 'placement=last' ? 'last' : placement
}

/**
 * The placement of all other rows. `--ablation placement=first` compares with `last`, and the other
 * way round, unless `--placement` says otherwise.
 */
export function basePlacement(
  given: Placement | undefined,
  ablations: readonly Ablation[],
): Placement {
  if (given !== undefined) return given
  const isFirstOnly = ablations.includes('placement=first') && !ablations.includes('placement=last')
  return isFirstOnly ? 'last' : 'first'
}

export interface VariantPlan {
  readonly variants: readonly Variant[]
  /** What the user should know: rows that there are not, and why. */
  readonly notes: readonly string[]
}

/**
 * Every protocol as it is, then each ablation of those protocols that it can change. An ablation
 * that would change nothing at all is refused: its rows would be the same as others.
 */
export function planVariants(
  protocols: readonly string[],
  ablations: readonly Ablation[],
  placement: Placement,
): VariantPlan {
  const planned = ablations.map(ablation => {
    if (ablation === 'syntax=json') return planSyntax(protocols)
    if (ablation === 'no-manual') return planNoManual(protocols)
    return planPlacement(ablation, protocols, placement)
  })
  return {
    variants: [
      ...protocols.map(protocol => ({ protocol })),
      ...planned.flatMap(({ variants }) => variants),
    ],
    notes: planned.flatMap(({ notes }) => notes),
  }
}

/**
 * JSON is the same whichever syntax it replaces, so there is one row, beside the first protocol
 * that has another one.
 */
function planSyntax(protocols: readonly string[]): VariantPlan {
  const ablation = 'syntax=json'
  const json = protocols.find(protocol => compactSyntaxOf(protocol) === 'json')
  const [first, ...others] = protocols.filter(protocol =>
    ['wire', 'line'].includes(compactSyntaxOf(protocol) ?? ''),
  )
  if (first === undefined)
    throw new UsageError(`--ablation ${ablation} needs the protocol wire or line in --protocols.`)
  if (json !== undefined) {
    return {
      variants: [],
      notes: [`--ablation ${ablation} has no row of its own: it is the row ${json}.`],
    }
  }
  const notes = others.length
    ? [`--ablation ${ablation} is the same for ${first} and ${others.join(', ')}: one row.`]
    : []
  return { variants: [{ protocol: first, ablation }], notes }
}

function planNoManual(protocols: readonly string[]): VariantPlan {
  const compact = Object.keys(compactSyntaxes).join(', ')
  const fitting = protocols.filter(protocol => compactSyntaxOf(protocol) !== undefined)
  if (fitting.length === 0) {
    throw new UsageError(
      `--ablation no-manual is about the compact protocols; --protocols has none of ${compact}.`,
    )
  }
  return planRows('no-manual', fitting, protocols, `it is about ${compact}`)
}

function planPlacement(
  ablation: 'placement=first' | 'placement=last',
  protocols: readonly string[],
  placement: Placement,
): VariantPlan {
  if (ablation === `placement=${placement}`) {
    const other = placement === 'first' ? 'last' : 'first'
    throw new UsageError(
      `--ablation ${ablation} changes nothing: the rows without it have their tools ${placement}, too. Leave it out, or give --placement ${other}.`,
    )
  }
  const fitting = protocols.filter(protocol => protocol !== 'native')
  if (fitting.length === 0) {
    throw new UsageError(
      `--ablation ${ablation} is about tools in the prompt; --protocols has only native.`,
    )
  }
  const plan = planRows(ablation, fitting, protocols, 'its tools are not in the prompt')
  return {
    ...plan,
    notes: [
      ...plan.notes,
      `The rows without --ablation ${ablation} have their tools ${placement}.`,
    ],
  }
}

function planRows(
  ablation: Ablation,
  fitting: readonly string[],
  protocols: readonly string[],
  reason: string,
): VariantPlan {
  const others = protocols.filter(protocol => !fitting.includes(protocol))
  return {
    variants: fitting.map(protocol => ({ protocol, ablation })),
    notes: others.length
      ? [`--ablation ${ablation} has no row for ${others.join(', ')}: ${reason}.`]
      : [],
  }
}
