/** Decodes a body; undefined if the platform cannot decode this encoding. */
export function decodeBody(
  body: ReadableStream<Uint8Array>,
  encoding: string,
): ReadableStream<Uint8Array> | undefined {
  if (encoding !== 'gzip' && encoding !== 'deflate') return undefined
  const { readable, writable } = new DecompressionStream(encoding)
  const writer = writable.getWriter()
  const sink = new WritableStream<Uint8Array>({
    write: chunk => writer.write(new Uint8Array(chunk)),
    close: () => writer.close(),
    abort: reason => writer.abort(reason),
  })
  // An error reaches the reader through the writer.
  body.pipeTo(sink).catch(() => {})
  return readable
}

/**
 * The encoding that headers name: `gzip`, also for `x-gzip` and `identity, gzip`; an empty text if
 * the body is not encoded.
 */
export function encodingOf(headers: Headers): string {
  const named = headers.get('content-encoding')?.toLowerCase().split(',') ?? []
  const encodings = named
    .map(name => name.trim().replace(/^x-gzip$/, 'gzip'))
    .filter(name => name !== '' && name !== 'identity')
  return encodings.join(', ')
}
