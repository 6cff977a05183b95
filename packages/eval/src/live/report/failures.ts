import type { RunRecord } from '../record.js'
import { keyOfRow, type Row } from '../rows.js'
import { type FailureGroup, groupFailures } from './group-failures.js'
import { type Html, html } from './html.js'

/** The most groups that are shown. The rest is in results.jsonl. */
const maxGroups = 300

/** The most runs of a group that have a line, after the one that is shown in full. */
const maxLines = 20

/** How much of a run is shown. */
interface Detail {
  /** Texts of models are cut after so many characters. */
  readonly maxChars: number
  /** Of the calls and of the answers of a run the last ones are shown, up to so many of each. */
  readonly maxItems: number
}

/** All of it, or as much as fits: the first detail with which all groups together fit is used. */
const fullDetail: Detail = { maxChars: 20_000, maxItems: Number.POSITIVE_INFINITY }
const lowestDetail: Detail = { maxChars: 150, maxItems: 2 }
const details = [
  fullDetail,
  { maxChars: 6000, maxItems: 16 },
  { maxChars: 2000, maxItems: 8 },
  { maxChars: 600, maxItems: 4 },
  lowestDetail,
]

/** How the failures are shown. */
interface View extends Detail {
  readonly labelOf: (record: RunRecord) => string
}

/**
 * Renders every run that did not pass. Runs that failed alike are shown once, with the whole text of
 * the model, and as a line each after that. `maxBytes` limits the size: less of each run is shown, so
 * that all groups fit, and if that is not enough, the last groups are lines.
 */
export function renderFailures(
  records: readonly RunRecord[],
  rows: readonly Row[],
  outcome: 'fail' | 'infrastructure',
  maxBytes: number,
): Html {
  const labels = new Map(rows.map(row => [keyOfRow(row), row.label]))
  const labelOf = (record: RunRecord) => labels.get(keyOfRow(record)) ?? record.protocol
  const failed = records
    .filter(record => record.outcome === outcome)
    .sort(
      (a, b) =>
        a.task.localeCompare(b.task) || labelOf(a).localeCompare(labelOf(b)) || a.rep - b.rep,
    )
  if (failed.length === 0) return html`<p>None.</p>`
  const groups = groupFailures(failed)
  const shown = groups.slice(0, maxGroups)
  for (const detail of details) {
    const full = renderAll(shown, { labelOf, ...detail }, maxBytes)
    if (full) return html`${noteOnCuts(detail)}${full}${noteOnRest(groups.slice(shown.length))}`
  }
  return renderWhatFits(groups, { labelOf, ...lowestDetail }, maxBytes)
}

/** Renders all groups in full. Returns undefined if they are larger than `maxBytes`. */
function renderAll(
  groups: readonly FailureGroup[],
  view: View,
  maxBytes: number,
): Html[] | undefined {
  const full: Html[] = []
  let room = maxBytes
  for (const group of groups) {
    const each = renderGroup(group, view)
    room -= sizeOf(each)
    if (room < 0) return undefined
    full.push(each)
  }
  return full
}

/** Renders each group as a line, and the first ones in full as long as there is room. */
function renderWhatFits(groups: readonly FailureGroup[], view: View, maxBytes: number): Html {
  const lines: Html[] = []
  let room = maxBytes
  for (const group of groups.slice(0, maxGroups)) {
    const line = renderLine(group, view)
    if (sizeOf(line) > room) break
    room -= sizeOf(line)
    lines.push(line)
  }
  const shown = groups.slice(0, lines.length).map((group, i) => {
    const line = lines[i] ?? html``
    const full = renderGroup(group, view)
    const more = sizeOf(full) - sizeOf(line)
    if (more > room) return line
    room -= more
    return full
  })
  return html`${noteOnCuts(view)}${shown}${noteOnRest(groups.slice(lines.length))}`
}

function noteOnCuts({ maxChars, maxItems }: Detail): Html | undefined {
  if (maxChars === fullDetail.maxChars) return undefined
  return html`<p class="soft">Texts are cut after ${maxChars} characters, and at most the last ${maxItems} answers and calls of a run are shown. All of them are in results.jsonl.</p>`
}

function noteOnRest(rest: readonly FailureGroup[]): Html | undefined {
  if (rest.length === 0) return undefined
  const runs = rest.reduce((sum, { others }) => sum + 1 + others.length, 0)
  return html`<p class="soft">${runs} more are in results.jsonl.</p>`
}

function sizeOf(part: Html): number {
  return Buffer.byteLength(part.html)
}

/** Renders a group of which there is no room for more: `single/enum · wire · repetition 1: …`. */
function renderLine(group: FailureGroup, view: View): Html {
  return html`<p>${renderHeading(group, view)}</p>
`
}

function renderHeading({ first, others }: FailureGroup, { labelOf }: View): Html {
  const count = others.length > 0 ? html` <b>(${others.length + 1} runs)</b>` : undefined
  return html`<code>${cut(first.task, 100)}</code> · <span class="tag">${labelOf(first)}</span> · repetition ${first.rep + 1}: ${cut(first.reasons[0] ?? '', 200)}${count}`
}

function renderGroup(group: FailureGroup, view: View): Html {
  const { reasons, problems, calls, text, exchanges, judge } = group.first
  const show = (each: string) => cut(each, view.maxChars)
  return html`<details><summary>${renderHeading(group, view)}</summary><div>
<h3>Why</h3><ul>${reasons.map(reason => html`<li>${show(reason)}</li>`)}</ul>
${problems.length ? html`<h3>What the parser found</h3><ul>${problems.map(({ code, message }) => html`<li><code>${code}</code> ${show(message)}</li>`)}</ul>` : undefined}
<h3>Calls</h3>${calls.length ? html`<ul>${lastOf(calls, view).map(call => renderCall(call, view))}</ul>` : html`<p>None.</p>`}
${lastOf([...exchanges.entries()], view).map(([i, exchange]) => renderExchange(exchange, i, view))}
<h3>Final text</h3>${text ? html`<pre>${show(text)}</pre>` : html`<p>Empty.</p>`}
${judge ? html`<h3>Judge: ${judge.verdict}</h3><pre>${show(judge.text)}</pre>` : undefined}
${renderOthers(group, view)}</div></details>
`
}

function lastOf<Item>(items: readonly Item[], { maxItems }: View): readonly Item[] {
  return items.slice(Math.max(0, items.length - maxItems))
}

/** Renders the other runs that failed in the same way: `wire · repetition 2: add: .a is 5 …`. */
function renderOthers({ others }: FailureGroup, { labelOf, maxChars }: View): Html | undefined {
  if (others.length === 0) return undefined
  const rest = others.length - maxLines
  return html`<h3>Failed in the same way</h3><ul>${others
    .slice(0, maxLines)
    .map(
      record =>
        html`<li><span class="tag">${labelOf(record)}</span> · repetition ${record.rep + 1}: ${cut(record.reasons[0] ?? '', Math.min(maxChars, 200))}</li>`,
    )}${rest > 0 ? html`<li>${rest} more runs</li>` : undefined}</ul>
`
}

function renderCall(
  { step, name, args, invalid, failure }: RunRecord['calls'][number],
  { maxChars }: View,
): Html {
  const failed = failure === undefined ? undefined : `failed: ${failure}`
  const note = invalid === undefined ? failed : `rejected: ${invalid}`
  return html`<li>step ${step}: <code>${name}(${cut(JSON.stringify(args) ?? '', maxChars)})</code>${
    note === undefined
      ? undefined
      : html` <span class="tag">${cut(note, Math.min(maxChars, 2000))}</span>`
  }</li>`
}

function renderExchange(
  { requestBytes, tries, status, brokeOff, answer }: RunRecord['exchanges'][number],
  i: number,
  { maxChars }: View,
): Html {
  const facts = [
    `${requestBytes} bytes sent`,
    status === undefined ? 'no answer' : `HTTP ${status}`,
    ...(tries > 1 ? [`${tries} tries`] : []),
    ...(answer.inputTokens === undefined ? [] : [`${answer.inputTokens} tokens in`]),
    ...(answer.outputTokens === undefined ? [] : [`${answer.outputTokens} tokens out`]),
    ...(answer.finishReason === undefined ? [] : [`finish: ${answer.finishReason}`]),
    ...(brokeOff === undefined ? [] : [`connection closed: ${brokeOff}`]),
  ]
  const raw = [
    ...(answer.reasoning === undefined
      ? []
      : [html`<p class="soft">Reasoning</p><pre>${cut(answer.reasoning, maxChars)}</pre>`]),
    ...(answer.text === '' ? [] : [html`<pre>${cut(answer.text, maxChars)}</pre>`]),
    ...answer.toolCalls.map(
      each =>
        html`<p class="soft">tool_calls</p><pre>${cut(`${each.name} ${each.arguments}`, maxChars)}</pre>`,
    ),
    ...(answer.error === undefined
      ? []
      : [html`<p class="soft">Error</p><pre>${cut(answer.error, maxChars)}</pre>`]),
    ...(answer.body === undefined
      ? []
      : [html`<p class="soft">Body</p><pre>${cut(answer.body, maxChars)}</pre>`]),
  ]
  return html`<h3>Raw output ${i + 1}</h3><p class="soft">${facts.join(' · ')}</p>${raw.length ? raw : html`<p>Empty.</p>`}`
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}
