import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(fileURLToPath(import.meta.url), '../../../..')

/** What setup brings by itself lives here; ignored by git. */
export const toolchain = join(root, '.toolchain')

/** @param {string} line */
export const say = (line) => process.stderr.write(`setup: ${line}\n`)

/**
 * @param {string} why
 * @returns {never}
 */
export function fail(why) {
  process.stderr.write(`setup: ${why}\n`)
  process.exit(1)
}
