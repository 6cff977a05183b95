/** True for a host that is this machine itself: `localhost`, `127.0.0.1`, `[::1]`. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  // `127.0.0.1.evil.test` is a name in the DNS, so all four numbers and nothing else must be there.
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(name)
}
