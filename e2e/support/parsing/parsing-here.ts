import { performers } from '../../../electron/host/processes/performers.ts'
import type { Parsing, ParsingFailure } from '../../../electron/kernel/parsing/parsing.ts'
import { fail, ok } from '../../../shared/result.ts'

/**
 * Runs the parsing jobs in this process, for tests that care only about the results. Inputs and outputs are cloned and checked as if sent between
 * processes, but no process has to start.
 */
export const parsingHere: Parsing = {
  run: async ({ name, gives, news }, given, { onNews, signal } = {}) => {
    const stopped = Promise.withResolvers<void>()
    signal?.addEventListener('abort', () => stopped.resolve(), { once: true })
    const found = performers.find((one) => one.name === name)
    if (found === undefined) throw new Error(`Nothing does ${name}`)
    const tell = (one: unknown) => {
      if (news !== undefined && signal?.aborted !== true) onNews?.(news.parse(structuredClone(one)))
    }
    const work = async () => ok(gives.parse(structuredClone(await found.perform(structuredClone(given), tell))))
    return Promise.race([work(), stopped.promise.then(() => fail<ParsingFailure>({ kind: 'parsing', issue: 'stopped' }))])
  },
}
