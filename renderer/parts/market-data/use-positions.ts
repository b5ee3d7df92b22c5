import { useMemo } from 'react'
import type { Position } from '../../../shared/ipc/reads/account.ts'
import { atMark } from '../../../shared/positions.ts'
import { second } from '../../../shared/time.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'

const marksEvery = 2 * second
const none: readonly Position[] = []

interface Choices {
  readonly enabled?: boolean
  /** Milliseconds between two reads of the positions. `false`: reads neither positions nor mark prices again. */
  readonly every: number | false
}

/**
 * The open positions of a wallet, valued at the latest mark prices; `watch` null: the connected wallet. Mark prices are read more often than
 * positions. The field `read` is the query of the positions as the service reported them.
 */
export function usePositions(watch: string | null, { enabled = true, every }: Choices) {
  const read = useIpcQuery('account.positions', { watch }, { enabled, every })
  const listed = read.data?.positions
  const pairIds = useMemo(() => [...new Set((listed ?? none).map(({ pairId }) => pairId))].sort((a, b) => a - b), [listed])
  const marks = useIpcQuery('markets.marks', { pairIds }, { enabled: enabled && pairIds.length > 0, every: every === false ? false : marksEvery })
  const positions = useMemo(() => {
    // If the app read the positions after the mark prices, the mark prices inside the positions are newer.
    if (listed === undefined || marks.data === undefined || marks.data.readAtMs < (read.data?.readAtMs ?? 0)) return listed
    const newest = new Map(marks.data.marks.map(({ pairId, mark }) => [pairId, mark]))
    return listed.map((position) => {
      const mark = newest.get(position.pairId) ?? null
      return mark === null ? position : atMark(position, mark)
    })
  }, [listed, read.data?.readAtMs, marks.data])
  return { read, positions }
}
