import type { Page } from 'playwright-core'
import { compare, type Measured } from './metric.ts'
import { allScripts, firstLoad, gzipKilobytes, readScript, type Script } from './page-scripts.ts'

export interface FirstLoadParts {
  readonly renderer: string
  readonly reference: string
}

/** Measures the size of all scripts that the window’s page imports statically. File sizes do not vary, so one measurement is enough. */
export const measureFirstLoad = (parts: FirstLoadParts): Measured[] => rows('static imports', parts, firstLoad(parts.renderer))

/** Measures the size of the scripts that a window loads on its first start (no wallet paired) until its first screen is usable. */
export async function measureFirstScreen(parts: FirstLoadParts, page: Page, usable: () => Promise<void>): Promise<Measured[]> {
  const urls = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') urls.add(request.url())
  })
  await page.reload()
  await usable()
  const loaded = [...urls].map((url) => readScript(parts.renderer, new URL(url).pathname.slice(1)))
  return rows('loaded by the first screen of an unpaired first run', parts, loaded)
}

function rows(what: string, { renderer, reference }: FirstLoadParts, scripts: readonly Script[]): Measured[] {
  if (scripts.length === 0) throw new Error(`No script was found: ${what}`)
  const walletConnect = (among: readonly Script[]) => gzipKilobytes(among.filter((script) => script.holdsWalletConnect))
  return [
    compare(`First-load JavaScript (${what}), gzip KB, against a React + viem page`, {
      ours: gzipKilobytes(scripts),
      against: gzipKilobytes(firstLoad(reference)),
      target: 1.35,
    }),
    compare(`WalletConnect before it is asked for (${what}), gzip KB, against all of it in the build`, {
      ours: walletConnect(scripts),
      against: walletConnect(allScripts(renderer)),
      target: 0,
    }),
  ]
}
