import type { Ablation, Variant } from './ablations.js'
import type { Target } from './endpoints.js'

/** One row of the report: a model, a protocol, and a change to it. */
export interface Row extends Target, Variant {
  /** The name in the report: `wire · no-manual`; with several models `qwen3 · wire · no-manual`. */
  readonly label: string
}

/** Combines every variant with every model. */
export function createRows(targets: readonly Target[], variants: readonly Variant[]): Row[] {
  const hasModels = targets.length > 1
  return targets.flatMap(({ model, baseUrl }) =>
    variants.map(({ protocol, ablation }) => {
      const parts = [hasModels ? model : undefined, protocol, ablation]
      return {
        model,
        baseUrl,
        protocol,
        ablation,
        label: parts.filter(part => part !== undefined).join(' · '),
      }
    }),
  )
}

/** The fields that identify a row, also in the records of its runs. */
export interface RowKey extends Target {
  readonly protocol: string
  readonly ablation?: Ablation | undefined
}

export function keyOfRow({ model, baseUrl, protocol, ablation }: RowKey): string {
  return JSON.stringify([model, baseUrl, protocol, ablation ?? null])
}
