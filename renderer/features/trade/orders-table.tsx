import type { OpenOrder } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { MarketName } from '../../kit/coin.tsx'
import { Empty } from '../../kit/layout/empty.tsx'
import { SkeletonRows } from '../../kit/layout/skeleton.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { Amount } from '../../kit/number.tsx'
import { Side } from '../../kit/side.tsx'
import { Time } from '../../kit/time/time.tsx'
import { FeedBody, priceFormat, sizeFormat, type TableProps } from './market/feed.tsx'
import { OrderActions } from './rows/row-actions.tsx'
import type { RowDesk } from './rows/row-desk.tsx'
import { moveInRows } from './rows/row-keys.ts'

interface OrdersProps extends TableProps<OpenOrder> {
  readonly markets: readonly Market[]
  readonly desk: RowDesk
}

export function OrdersTable({ feed, markets, desk, noWallet }: OrdersProps) {
  return (
    <FeedBody
      feed={feed}
      columns={8}
      noWallet={noWallet}
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
            <HeadCell numeric>
              <span className="sr">Actions</span>
            </HeadCell>
          </tr>
        </thead>
        {feed.rows === null ? (
          <SkeletonRows rows={3} columns={8} numeric={[3, 4, 6]} />
        ) : (
          <tbody onKeyDown={moveInRows}>
            {feed.rows.map((order) => {
              const market = markets.find((one) => one.id === order.pairId)
              const symbol = order.symbol ?? market?.symbol ?? '—'
              return (
                <tr key={order.id}>
                  <td>
                    <MarketName symbol={symbol} {...(market === undefined ? {} : { base: market.base })} />
                  </td>
                  <td>{order.side === 'long' || order.side === 'short' ? <Side side={order.side} /> : (order.side ?? '—')}</td>
                  <td>
                    {order.type ?? '—'}
                    {order.reduceOnly === true ? <span className="muted">, only closes</span> : null}
                  </td>
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
                  <td className="acts">
                    <OrderActions row={order} market={market} symbol={symbol} desk={desk} />
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
