import type { RunRecord } from '../record.js'
import { keyOfRow, type Row } from '../rows.js'
import { type Html, html } from './html.js'

/** The most failures in the report. The rest is in results.jsonl. */
const maxShown = 300
const maxChars = 20_000

/** Renders every run that did not pass, with the whole text of the model. */
export function renderFailures(
  records: readonly RunRecord[],
  rows: readonly Row[],
  outcome: 'fail' | 'infrastructure',
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
  const rest = failed.length - maxShown
  return html`${failed.slice(0, maxShown).map(record => renderFailure(record, labelOf(record)))}${
    rest > 0 ? html`<p class="soft">${rest} more are in results.jsonl.</p>` : undefined
  }`
}

function renderFailure(record: RunRecord, label: string): Html {
  const { task, rep, reasons, problems, calls, text, exchanges, judge } = record
  return html`<details><summary><code>${task}</code> · <span class="tag">${label}</span> · repetition ${rep + 1}: ${cut(reasons[0] ?? '', 300)}</summary><div>
<h3>Why</h3><ul>${reasons.map(reason => html`<li>${cut(reason)}</li>`)}</ul>
${problems.length ? html`<h3>What the parser found</h3><ul>${problems.map(({ code, message }) => html`<li><code>${code}</code> ${cut(message)}</li>`)}</ul>` : undefined}
<h3>Calls</h3>${calls.length ? html`<ul>${calls.map(renderCall)}</ul>` : html`<p>None.</p>`}
${exchanges.map(renderExchange)}
<h3>Final text</h3>${text ? html`<pre>${cut(text)}</pre>` : html`<p>Empty.</p>`}
${judge ? html`<h3>Judge: ${judge.verdict}</h3><pre>${cut(judge.text)}</pre>` : undefined}
</div></details>
`
}

function renderCall({ step, name, args, invalid, failure }: RunRecord['calls'][number]): Html {
  const failed = failure === undefined ? undefined : `failed: ${failure}`
  const note = invalid === undefined ? failed : `rejected: ${invalid}`
  return html`<li>step ${step}: <code>${name}(${cut(JSON.stringify(args) ?? '')})</code>${
    note === undefined ? undefined : html` <span class="tag">${cut(note, 2000)}</span>`
  }</li>`
}

function renderExchange(
  { requestBytes, tries, status, brokeOff, answer }: RunRecord['exchanges'][number],
  i: number,
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
      : [html`<p class="soft">Reasoning</p><pre>${cut(answer.reasoning)}</pre>`]),
    ...(answer.text === '' ? [] : [html`<pre>${cut(answer.text)}</pre>`]),
    ...answer.toolCalls.map(
      each =>
        html`<p class="soft">tool_calls</p><pre>${cut(`${each.name} ${each.arguments}`)}</pre>`,
    ),
    ...(answer.error === undefined
      ? []
      : [html`<p class="soft">Error</p><pre>${cut(answer.error)}</pre>`]),
    ...(answer.body === undefined
      ? []
      : [html`<p class="soft">Body</p><pre>${cut(answer.body)}</pre>`]),
  ]
  return html`<h3>Raw output ${i + 1}</h3><p class="soft">${facts.join(' · ')}</p>${raw.length ? raw : html`<p>Empty.</p>`}`
}

function cut(text: string, limit = maxChars): string {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}
