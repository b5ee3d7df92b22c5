import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { Coin } from '../../kit/coin.tsx'
import { Empty } from '../../kit/layout/empty.tsx'
import { Link } from '../../kit/layout/navigation.tsx'
import { SkeletonRows } from '../../kit/layout/skeleton.tsx'
import { IntentState } from '../../kit/layout/state.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { shorten } from '../../kit/short.ts'
import { Time } from '../../kit/time/time.tsx'
import { FeedBody, type TableProps } from './market/feed.tsx'

export function IntentsTable({ feed, noWallet }: TableProps<Intent>) {
  return (
    <FeedBody
      feed={feed}
      columns={4}
      noWallet={noWallet}
      empty={<Empty title="Nothing was asked for yet">Every order you review is written down here before it leaves this computer.</Empty>}
    >
      <Table label="Intents" dense busy={feed.rows === null}>
        <thead>
          <tr>
            <HeadCell>Market</HeadCell>
            <HeadCell>What</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell>Why</HeadCell>
            <HeadCell numeric>Intent</HeadCell>
            <HeadCell numeric>Time</HeadCell>
          </tr>
        </thead>
        {feed.rows === null ? (
          <SkeletonRows rows={3} columns={6} numeric={[4, 5]} />
        ) : (
          <tbody>
            {feed.rows.map((intent) => (
              <tr key={intent.ref}>
                <td>
                  {intent.symbol === null ? (
                    <span className="muted">—</span>
                  ) : (
                    <span className="mkt">
                      <Coin base={intent.symbol.split('-')[0] ?? intent.symbol} />
                      <b>{intent.symbol}</b>
                    </span>
                  )}
                </td>
                <td>
                  <Link to={`activity/${intent.ref}`} className="name">
                    {intent.title}
                  </Link>
                </td>
                <td>
                  <IntentState state={intent.state} confirmations={intent.confirmations} />
                </td>
                <td className="muted cut why">{intent.reason ?? ''}</td>
                <td className="r">
                  {intent.intentId === null ? <span className="muted">local</span> : <code className="muted">{shorten(intent.intentId, 7, 3)}</code>}
                </td>
                <td className="r muted">
                  <Time ms={intent.createdAtMs} />
                </td>
              </tr>
            ))}
          </tbody>
        )}
      </Table>
    </FeedBody>
  )
}
