import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian has it. `.ci/run` installs it where it can. */
const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

export const hasChromium = existsSync(path)

/** A real browser, to which the given names are this machine. */
export function startChromium(names: readonly string[]): Promise<Browser> {
  const rules = names.map(name => `MAP ${name} 127.0.0.1`).join(', ')
  return chromium.launch({
    executablePath: path,
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      `--host-resolver-rules=${rules}`,
    ],
  })
}
