import { negate } from '../../../../shared/decimal.ts'
import type { Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market, MarketSummary } from '../../../../shared/ipc/reads/markets.ts'
import { cx } from '../../../kit/cx.ts'
import { returnOn } from '../../../kit/layout/navigation.tsx'
import { Empty, SkeletonRows } from '../../../kit/layout/placeholders.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { MarketName, Side } from '../../../kit/market-marks.tsx'
import marksStyles from '../../../kit/marks.module.css'
import { Amount, Percent } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { FeedBody, priceFormat, sizeFormat, type TableProps } from '../market/feed.tsx'
import styles from '../trade.module.css'
import { moveInRows, PositionActions } from './row-actions.tsx'
import type { RowActions } from './row-forms.tsx'
import { changePositionIssue } from './row-subjects.ts'

interface PositionsProps extends TableProps<Position> {
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
  readonly selected: number | null
  readonly onPick: (pairId: number) => void
  readonly forms: RowActions
}

export function PositionsTable({ feed, markets, summaries, selected, onPick, forms, noWallet }: PositionsProps) {
  return (
    <FeedBody feed={feed} columns={10} noWallet={noWallet} empty={<Empty title={tradeText.noOpenPositions}>{tradeText.noOpenPositionsHelp}</Empty>}>
      <Table label={tradeText.positions} className={styles.positions} dense busy={feed.rows === null}>
        <thead>
          <tr>
            <HeadCell>{tradeText.market}</HeadCell>
            <HeadCell>{tradeText.side}</HeadCell>
            <HeadCell numeric>{tradeText.size}</HeadCell>
            <HeadCell numeric>{tradeText.notionalUsdc}</HeadCell>
            <HeadCell numeric>{tradeText.entry}</HeadCell>
            <HeadCell numeric>{tradeText.mark}</HeadCell>
            <HeadCell numeric>{tradeText.liquidation}</HeadCell>
            <HeadCell numeric>{tradeText.unrealisedUsdc}</HeadCell>
            <HeadCell numeric>{tradeText.tpSl}</HeadCell>
            <HeadCell numeric>
              <span className={textStyles.screenReaderOnly}>{tradeText.actions}</span>
            </HeadCell>
          </tr>
        </thead>
        {feed.rows === null ? (
          <SkeletonRows rows={4} columns={10} numeric={[2, 3, 4, 5, 6, 7, 8]} />
        ) : (
          <tbody onKeyDown={moveInRows}>
            {feed.rows.map((position) => {
              const market = markets.find((one) => one.id === position.pairId)
              const mark = position.markPrice ?? summaries.find((one) => one.id === position.pairId)?.mark ?? null
              const price = priceFormat(market)
              const symbol = position.symbol ?? market?.symbol ?? tradeText.marketNumber(position.pairId)
              return (
                <tr
                  key={position.id ?? `${position.pairId}/${position.side}`}
                  data-row={position.id ?? undefined}
                  className={position.pairId === selected ? styles.isHere : undefined}
                >
                  <td>
                    <button type="button" className={styles.marketGo} onClick={() => onPick(position.pairId)} aria-label={tradeText.showMarket(symbol)}>
                      <MarketName symbol={symbol} {...(market === undefined ? {} : { base: market.base })} />
                    </button>
                  </td>
                  <td>
                    <Side side={position.side} leverage={position.leverage} />
                    {position.marginMode === null ? null : <span className={marksStyles.leverage}> {position.marginMode}</span>}
                  </td>
                  <td className={textStyles.right}>
                    <Amount
                      value={position.size === null ? null : position.side === 'short' ? negate(position.size) : position.size}
                      {...sizeFormat(market)}
                      {...(market === undefined ? {} : { unit: market.base })}
                    />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.notionalUsdc} decimals={2} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.entryPrice} {...price} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={mark} {...price} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.liquidationPrice} {...price} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.unrealisedPnl} decimals={2} signed />
                    <span className={styles.returnOnEquity}>
                      <Percent value={returnOn(position, mark)} decimals={1} signed isOwn missing={tradeText.returnUnknown} />
                    </span>
                  </td>
                  <td className={textStyles.right}>
                    <button
                      type="button"
                      className={position.takeProfit === null && position.stopLoss === null ? styles.exitsGo : cx(styles.exitsGo, styles.stacked)}
                      disabled={changePositionIssue(position, market) !== null}
                      onClick={() => forms.onPosition(position, 'exits')}
                    >
                      <span className={textStyles.screenReaderOnly}>{tradeText.tpSlTitle(position.side, symbol)} </span>
                      <Amount value={position.takeProfit} {...price} missing={tradeText.noTakeProfit} />{' '}
                      <span className={cx(styles.slash, textStyles.muted)}>/</span>{' '}
                      <Amount value={position.stopLoss} {...price} missing={tradeText.noStopLoss} />
                    </button>
                  </td>
                  <td className={tableStyles.actions}>
                    <PositionActions position={position} market={market} symbol={symbol} forms={forms} />
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
