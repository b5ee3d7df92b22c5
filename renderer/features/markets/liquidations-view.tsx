import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { second } from '../../../shared/time.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Empty } from '../../kit/layout/empty.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { Loading } from '../../kit/layout/skeleton.tsx'
import { MissingNote } from '../../parts/missing-note.tsx'
import { LiquidationTable } from './liquidation-table.tsx'
import { ReadAge } from './read-age.tsx'
import { missing, Unread } from './read-note.tsx'

/** What was liquidated on all markets, or on one of them. */
export function LiquidationsView({ markets, pairId = null }: { readonly markets: readonly Market[]; readonly pairId?: number | null }) {
  const read = useDeskQuery('markets.liquidations', {}, { every: 10 * second })
  const symbol = markets.find(({ id }) => id === pairId)?.symbol
  const all = read.data?.liquidations
  const shown = pairId === null ? all : all?.filter((one) => (one.pairId === null ? one.symbol === symbol : one.pairId === pairId))
  return (
    <Panel
      title="Recent liquidations"
      count={shown === undefined ? undefined : shown.length}
      className="mk-liqs"
      end={<ReadAge atMs={read.data?.readAtMs ?? null} source="public" failed={read.error !== null} />}
      ruled
    >
      <MissingNote missing={read.data?.missing} one="liquidation" many="liquidations" />
      {missing(read) !== null ? (
        <Unread query={read} />
      ) : shown === undefined ? (
        <Loading label="Reading liquidations">
          <div className="mk-wait" />
        </Loading>
      ) : shown.length === 0 ? (
        <Empty icon="shield-check" title="No liquidation to show">
          The service lists none{pairId === null ? '' : ' of this market'} now. New ones appear here by themselves.
        </Empty>
      ) : (
        <LiquidationTable liquidations={shown} markets={markets} ofOne={pairId !== null} />
      )}
    </Panel>
  )
}
