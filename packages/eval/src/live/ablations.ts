import {
  type CompactSyntax,
  compactProtocol,
  type EngineProtocol,
  getProtocolInfo,
} from '@toolglot/parser'
import { UsageError } from './usage-error.js'

/** The changes that `--ablation` can make to a protocol. */
export const ablationNames = [
  'syntax=json',
  'no-manual',
  'placement=first',
  'placement=last',
] as const
export type Ablation = (typeof ablationNames)[number]
export type Placement = 'first' | 'last'

/** A protocol, with or without a change. */
export interface Variant {
  readonly protocol: string
  /** Absent: no change. */
  readonly ablation?: Ablation | undefined
}

/**
 * The compact protocols and their syntaxes. Only they have an explanation that can be removed
 * without removing the tools.
 */
const compactSyntaxes: Readonly<Record<string, CompactSyntax>> = {
  wire: 'wire',
  compact_json: 'json',
  line: 'line',
}

function compactSyntaxOf(protocol: string): CompactSyntax | undefined {
  return compactSyntaxes[getProtocolInfo(protocol)?.name ?? protocol]
}

/**
 * Returns the protocol of a variant: its name, or a changed protocol without a name.
 */
export function protocolOf({ protocol, ablation }: Variant): EngineProtocol | string {
  if (ablation === 'syntax=json') return compactProtocol({ syntax: 'json' })
  // The heading stays, so that the model knows what the lines are.
  if (ablation === 'no-manual')
    return compactProtocol({ syntax: compactSyntaxOf(protocol), manualHeader: '# Tools' })
  return protocol
}

/** Returns where the tools of a variant are in the system message. */
export function placementOf({ ablation }: Variant, placement: Placement): Placement {
  if (ablation === 'placement=first') return 'first'
  return ablation === 'placement=last' ? 'last' : placement
}

/**
 * Returns the placement of all other rows. `--ablation placement=first` is compared with `last`, and
 * vice versa, unless `--placement` is given.
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
  /** Messages for the user: which rows are missing, and why. */
  readonly notes: readonly string[]
}

/**
 * Plans every protocol without a change, then each ablation of the protocols that it can change. An
 * ablation that changes nothing is refused, because its rows would equal others.
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
 * Plans one row for JSON, with the first protocol that has another syntax: JSON is the same
 * whichever syntax it replaces.
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
      `--ablation no-manual changes only the compact protocols; --protocols contains none of ${compact}.`,
    )
  }
  return planRows('no-manual', fitting, protocols, `it changes only ${compact}`)
}

function planPlacement(
  ablation: 'placement=first' | 'placement=last',
  protocols: readonly string[],
  placement: Placement,
): VariantPlan {
  if (ablation === `placement=${placement}`) {
    const other = placement === 'first' ? 'last' : 'first'
    throw new UsageError(
      `--ablation ${ablation} changes nothing: the rows without it also have their tools ${placement}. Remove it, or add --placement ${other}.`,
    )
  }
  const fitting = protocols.filter(protocol => protocol !== 'native')
  if (fitting.length === 0) {
    throw new UsageError(
      `--ablation ${ablation} moves tools in the prompt; --protocols contains only native.`,
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
