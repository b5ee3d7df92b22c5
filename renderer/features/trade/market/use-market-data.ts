import { useDeskQuery } from '../../../ipc/use-desk.ts'
import { useVisible } from '../../../kit/time/use-visible.ts'

/** The document lets a market order refer to prices of at most 8 s; two readings must fit in that. */
const summaryEvery = 1_500

export function useSummaries() {
  const visible = useVisible()
  return useDeskQuery('markets.summaries', {}, { every: visible ? summaryEvery : false })
}
