import { join } from 'node:path'
import type { Proof } from '../../build/scripts/prove/proof.ts'
import { median } from '../bench/rounds.ts'
import type { Held, Soaked } from './soak.ts'

/** Default duration in minutes of the page’s simulated clock. */
const usual = 30
/** Memory is compared only after this minute. Until then, it grows because code is compiled and caches are filled. */
const warm = 10
const lastOnes = 5
/**
 * Allowed growth factors of memory. `script` and `page` are higher, because their compiled code grows for an hour although their objects hardly grow.
 */
const mostGrowth = { resident: 1.05, script: 1.1, page: 1.1 } as const

function growth(held: readonly Held[], part: keyof Held): { readonly early: number; readonly late: number } {
  const of = (from: number, to: number) => median(held.slice(from, to).map((one) => one[part]))
  return { early: of(warm - lastOnes, warm), late: of(held.length - lastOnes, held.length) }
}

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)

/** Uses the app while its stream and its host fail again and again. The app’s memory must not grow. */
export const soakProof: Proof<Soaked> = {
  name: 'soak',
  workbench: join(import.meta.dirname, 'soak-workbench.ts'),
  workers: 1,
  limitMs: 30 * 60_000,
  items: (chosen) => (chosen.length === 0 ? [String(usual)] : chosen.filter((one) => Number(one) >= warm + lastOnes)),
  line: (minutes, { held, requests }) => {
    const parts = (['resident', 'script', 'page'] as const).map((part) => {
      const { early, late } = growth(held, part)
      return `${part} ${megabytes(early)} → ${megabytes(late)} MiB`
    })
    const files = growth(held, 'files')
    const handles = growth(held, 'handles')
    return `${minutes} minutes, ${requests} requests: ${parts.join(', ')}, files ${files.early} → ${files.late}, handles ${handles.early} → ${handles.late}`
  },
  sum: (results) => {
    const misses = [...results].flatMap(([minutes, { held, uncaught }]) => {
      const grown = (['resident', 'script', 'page'] as const).flatMap((part) => {
        const { early, late } = growth(held, part)
        return late > early * mostGrowth[part] ? [`${minutes} minutes: ${part} memory grew from ${megabytes(early)} to ${megabytes(late)} MiB`] : []
      })
      const more = (['files', 'handles'] as const).flatMap((part) => {
        const { early, late } = growth(held, part)
        return late > early ? [`${minutes} minutes: ${part} grew from ${early} to ${late}`] : []
      })
      return [...grown, ...more, ...uncaught.map((error) => `${minutes} minutes: ${error}`)]
    })
    return { line: `${results.size} runs, ${misses.length} misses`, misses }
  },
}
