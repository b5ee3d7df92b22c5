import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import type { Market, MarketSummary } from '../../../../shared/ipc/reads/markets.ts'
import { cx } from '../../../kit/cx.ts'
import iconStyles from '../../../kit/icons/icon.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { pressed } from '../../../kit/key-bindings.ts'
import { Coin, MarketName } from '../../../kit/market-marks.tsx'
import marksStyles from '../../../kit/marks.module.css'
import { Amount, Percent } from '../../../kit/number.tsx'
import { place } from '../../../kit/overlay/menu.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import textStyles from '../../../kit/text.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'

interface MarketPickerProps {
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
  readonly market: Market
  readonly onPick: (market: Market) => void
}

const matches = (market: Market, typed: string): boolean => `${market.symbol} ${market.base}`.toLowerCase().includes(typed.trim().toLowerCase())

/**
 * A button with the market's name. It opens a list of all markets, which the user searches by typing and chooses from with the arrow keys and Enter.
 */
export function MarketPicker({ markets, summaries, market, onPick }: MarketPickerProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = useMemo(() => markets.filter((one) => matches(one, typed)), [markets, typed])
  const byId = useMemo(() => new Map(summaries.map((summary) => [summary.id, summary])), [summaries])

  const show = () => {
    const element = panel.current
    const anchor = button.current
    if (element === null || anchor === null) return
    element.showPopover()
    const spot = place(
      anchor.getBoundingClientRect(),
      { width: element.offsetWidth, height: element.offsetHeight },
      { width: innerWidth, height: innerHeight },
      'start',
    )
    element.style.setProperty('left', `${spot.left}px`)
    element.style.setProperty('top', `${spot.top}px`)
    setTyped('')
    setAt(
      Math.max(
        0,
        markets.findIndex((one) => one.id === market.id),
      ),
    )
    search.current?.focus()
  }
  const choose = (chosen: Market | undefined) => {
    if (chosen === undefined) return
    panel.current?.hidePopover()
    button.current?.focus()
    onPick(chosen)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = pressed(event, 'found', 'foundBefore', 'choose', 'escape')
    if (key === 'found' || key === 'foundBefore') {
      event.preventDefault()
      const next = (at + (key === 'found' ? 1 : -1) + found.length) % Math.max(found.length, 1)
      setAt(next)
      document.getElementById(`${id}-${found[next]?.id}`)?.scrollIntoView({ block: 'nearest' })
    } else if (key === 'choose') {
      event.preventDefault()
      choose(found[at])
    } else if (key === 'escape') {
      event.stopPropagation()
      button.current?.focus()
    }
  }
  return (
    <>
      <button ref={button} type="button" className={styles.marketPick} aria-haspopup="dialog" aria-expanded={open} onClick={show}>
        <span className={textStyles.screenReaderOnly}>{tradeText.market} </span>
        <Coin base={market.base} size={24} />
        <b>{market.symbol}</b>
        {market.maxLeverage === null ? null : <span className={marksStyles.chip}>{market.maxLeverage}×</span>}
        <span className={textStyles.screenReaderOnly}> {tradeText.chooseAnother}</span>
        <Icon name="chevron-down" className={iconStyles.dim} />
      </button>
      <div
        ref={panel}
        popover="auto"
        className={cx(overlayStyles.menu, styles.marketMenu)}
        role="dialog"
        aria-label={tradeText.chooseMarket}
        onToggle={(event) => setOpen(event.newState === 'open')}
        onKeyDown={onKeyDown}
      >
        <div className={styles.marketSearch}>
          <Icon name="search" className={iconStyles.dim} />
          <input
            ref={search}
            role="combobox"
            aria-label={tradeText.searchMarkets}
            aria-expanded={open}
            aria-controls={`${id}-list`}
            aria-activedescendant={found[at] === undefined ? undefined : `${id}-${found[at].id}`}
            placeholder={tradeText.searchMarkets}
            value={typed}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => {
              setTyped(event.target.value)
              setAt(0)
            }}
          />
        </div>
        <div className={styles.marketColumns} aria-hidden="true">
          <span>{tradeText.market}</span>
          <span className={textStyles.right}>{tradeText.mark}</span>
          <span className={textStyles.right}>{tradeText.last24h}</span>
        </div>
        <div role="listbox" id={`${id}-list`} aria-label={tradeText.markets} className={styles.marketList}>
          {found.map((one, index) => {
            const summary = byId.get(one.id)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the search field above handles the keys for its list
              <div
                key={one.id}
                id={`${id}-${one.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={one.id === market.id}
                className={index === at ? styles.on : undefined}
                onPointerMove={() => setAt(index)}
                onClick={() => choose(one)}
              >
                <MarketName symbol={one.symbol} base={one.base} />
                {one.maxLeverage === null ? null : <span className={marksStyles.chip}>{one.maxLeverage}×</span>}
                <span className={textStyles.right}>
                  <Amount value={summary?.mark ?? null} {...(one.priceDecimals === null ? {} : { decimals: one.priceDecimals })} />
                </span>
                <span className={textStyles.right}>
                  <Percent value={summary?.change24h ?? null} signed />
                </span>
              </div>
            )
          })}
          {found.length === 0 ? <p className={styles.marketNone}>{tradeText.noMatchingMarket}</p> : null}
        </div>
      </div>
    </>
  )
}
