import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(fileURLToPath(import.meta.url), '../../../..')

/** The folder for tools that setup downloads. Git ignores this folder. */
export const toolchain = join(root, '.toolchain')

/**
 * Prints a line about the progress of setup.
 * @param {string} line
 */
export const say = (line) => process.stderr.write(`setup: ${line}\n`)

/**
 * Prints why setup failed and ends the process.
 * @param {string} why
 * @returns {never}
 */
export function fail(why) {
  process.stderr.write(`setup: ${why}\n`)
  process.exit(1)
}
