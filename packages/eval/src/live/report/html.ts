/** Text that is HTML already. Only `html` creates it, and escapes everything else. */
export interface Html {
  readonly html: string
}

type Content = Html | string | number | undefined | readonly Content[]

/** Fills a template. Values are escaped unless they are HTML already. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return {
    html: strings.map((text, i) => text + (i < values.length ? render(values[i]) : '')).join(''),
  }
}

function render(content: Content): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return escapeHtml(content)
  if (typeof content === 'number') return String(content)
  return isHtml(content) ? content.html : content.map(render).join('')
}

function isHtml(content: Html | readonly Content[]): content is Html {
  return 'html' in content
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, char => entities[char] ?? char)
      // Characters that HTML does not allow, and lone surrogates: a model can write anything.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: HTML does not allow these
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd')
      .replace(/\p{Surrogate}/gu, '\ufffd')
  )
}
