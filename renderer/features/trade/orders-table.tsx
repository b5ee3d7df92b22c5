import type { OpenOrder } from '../../../shared/ipc/account.ts'
import type { Market } from '../../../shared/ipc/markets.ts'
import { MarketName } from '../../ui/coin.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Amount } from '../../ui/number.tsx'
import { Side } from '../../ui/side.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { HeadCell, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { FeedBody, priceFormat, sizeFormat, type TableProps } from './feed.tsx'

export function OrdersTable({ feed, markets, noKey }: TableProps<OpenOrder> & { readonly markets: readonly Market[] }) {
  return (
    <FeedBody
      feed={feed}
      columns={7}
      noKey={noKey}
      empty={<Empty title="No open orders">Limit and stop orders wait here until they fill or are cancelled.</Empty>}
    >
      <Table label="Orders" dense busy={feed.rows === null}>
        <thead>
          <tr>
            <HeadCell>Market</HeadCell>
            <HeadCell>Side</HeadCell>
            <HeadCell>Type</HeadCell>
            <HeadCell numeric>Price</HeadCell>
            <HeadCell numeric>Size</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell numeric>Placed</HeadCell>
          </tr>
        </thead>
        {feed.rows === null ? (
          <SkeletonRows rows={3} columns={7} numeric={[3, 4, 6]} />
        ) : (
          <tbody>
            {feed.rows.map((order) => {
              const market = markets.find((one) => one.id === order.pairId)
              const symbol = order.symbol ?? market?.symbol ?? '—'
              return (
                <tr key={order.id}>
                  <td>
                    <MarketName symbol={symbol} {...(market === undefined ? {} : { base: market.base })} />
                  </td>
                  <td>{order.side === 'long' || order.side === 'short' ? <Side side={order.side} /> : (order.side ?? '—')}</td>
                  <td>{order.type ?? '—'}</td>
                  <td className="r">
                    <Amount value={order.price} {...priceFormat(market)} missing="A market order has none" />
                  </td>
                  <td className="r">
                    <Amount value={order.size} {...sizeFormat(market)} />
                  </td>
                  <td>{order.status ?? '—'}</td>
                  <td className="r muted">
                    <Time ms={order.atMs} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        )}
      </Table>
    </FeedBody>
  )
}
