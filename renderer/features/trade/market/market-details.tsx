import type { ReactNode } from 'react'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Amount, Percent } from '../../../kit/number.tsx'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { Time } from '../../../kit/time/time.tsx'
import { wantsKey } from '../../../parts/account-source.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { MoreFields } from '../../../parts/more-fields.tsx'

const every = 3 * second

function Part({ title, wide = false, children }: { readonly title: string; readonly wide?: boolean; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className={wide ? 'wide' : undefined}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

const count = (value: number | null): ReactNode => value ?? <span className="muted">—</span>

/** The rules of a market by the catalogue, what the service says of it this moment, and how old that is. */
export function MarketDetails({ market, onClose }: { readonly market: Market; readonly onClose: () => void }) {
  const read = useDeskQuery('markets.summary', { pairId: market.id }, { every })
  const snapshot = useDeskQuery('markets.snapshot', {}, { every })
  const summary = read.data?.summary
  const price = market.priceDecimals === null ? {} : { decimals: market.priceDecimals }
  return (
    <Sheet
      title={`About ${market.symbol}`}
      lead="What the service says of this market, now and by its rules."
      icon="info"
      className="m-about"
      closeOnScrim
      onClose={onClose}
    >
      <div className="sheet-body">
        {summary === undefined && read.error !== null ? <FailureNote failure={failureOf(read.error)} /> : null}
        <Part title="Now">
          <Rows ruled>
            <Row name="Mark">
              <Amount value={summary?.mark ?? null} {...price} />
            </Row>
            <Row name="Index">
              <Amount value={summary?.index ?? null} {...price} />
            </Row>
            <Row name="24 h change">
              <Percent value={summary?.change24h ?? null} signed />
            </Row>
            <Row name="24 h volume">
              <Amount value={summary?.volume24hUsdc ?? null} decimals={2} unit="USDC" />
            </Row>
            <Row name="Open interest, long">
              <Amount value={summary?.openInterestLongUsdc ?? null} decimals={2} unit="USDC" />
            </Row>
            <Row name="Open interest, short">
              <Amount value={summary?.openInterestShortUsdc ?? null} decimals={2} unit="USDC" />
            </Row>
            <Row name="Funding, 1 h">
              <Percent value={summary?.fundingRate ?? null} decimals={4} signed />
            </Row>
          </Rows>
        </Part>
        <Part title="Rules">
          <Rows ruled>
            <Row name="Market id">
              <code>{market.id}</code>
            </Row>
            <Row name="State">{market.status ?? <span className="muted">—</span>}</Row>
            <Row name="Tick size">
              <Amount value={market.tickSize} />
            </Row>
            <Row name="Smallest order">
              <Amount value={market.minOrderUsdc} minDecimals={2} unit="USDC" />
            </Row>
            <Row name="Largest order">
              <Amount value={market.maxOrderUsdc} minDecimals={2} unit="USDC" />
            </Row>
            <Row name="Leverage, at most">{market.maxLeverage === null ? <span className="muted">—</span> : `${market.maxLeverage}×`}</Row>
            <Row name="Decimals of a price">{count(market.priceDecimals)}</Row>
            <Row name="Decimals of a size">{count(market.sizeDecimals)}</Row>
          </Rows>
        </Part>
        <Part title="How old" wide>
          <Rows ruled>
            <Row name="Price made">
              <Time ms={summary?.priceAtMs ?? null} />
            </Row>
            <Row name="Snapshot sequence">
              {snapshot.data?.sequence != null ? (
                <code>{snapshot.data.sequence}</code>
              ) : (
                <span className="muted">{snapshot.error !== null && wantsKey(failureOf(snapshot.error)) ? 'Read with a key' : '—'}</span>
              )}
            </Row>
            <Row name="Snapshot taken">
              <Time ms={snapshot.data?.atMs ?? null} />
            </Row>
            <Row name="Read through">
              {read.data === undefined ? '—' : read.data.source === 'versioned' ? 'The versioned route, with your key' : 'The public route'}
            </Row>
          </Rows>
        </Part>
        <MoreFields of={`the market ${market.symbol}`} from="the catalogue" fields={market.unknownFields} />
        <MoreFields of={`the summary of ${market.symbol}`} from="the summary" fields={summary?.unknownFields ?? null} />
      </div>
      <SheetFoot>
        <Button variant="primary" kbd={['Esc']} onClick={onClose}>
          Close
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
