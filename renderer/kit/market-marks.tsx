import type { ReactElement } from 'react'
import { kitText } from '../text/en/kit.en.tsx'
import { cx } from './cx.ts'
import { Icon } from './icons/icon.tsx'
import styles from './marks.module.css'
import { VisibleText } from './visible-text.tsx'

const drawn: Readonly<Record<string, ReactElement>> = {
  BTC: (
    <>
      <circle cx="12" cy="12" r="12" fill="#d9822b" />
      <path
        d="M9.2 6.5h4.3a2.6 2.6 0 0 1 0 5.2H9.2zM9.2 11.7h4.8a2.9 2.9 0 0 1 0 5.8H9.2zM9.2 6.5v11M11 4.8v1.7M13.3 4.8v1.7M11 17.5v1.7M13.3 17.5v1.7"
        fill="none"
        stroke="#fff"
        strokeWidth="1.7"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </>
  ),
  ETH: (
    <>
      <circle cx="12" cy="12" r="12" fill="#5b6bbf" />
      <path d="M12 4.5 16.8 12 12 14.8 7.2 12z" fill="#fff" />
      <path d="M7.2 13.6 12 16.4l4.8-2.8L12 19.8z" fill="#fff" opacity=".75" />
    </>
  ),
  SOL: (
    <>
      <circle cx="12" cy="12" r="12" fill="#2b2f3d" />
      <path d="M8.6 6.7h9l-2.2 2.4h-9zM8.6 14.9h9l-2.2 2.4h-9z" fill="#7fe3c4" />
      <path d="M15.4 10.8h-9l2.2 2.4h9z" fill="#b79bf2" />
    </>
  ),
  DOGE: (
    <>
      <circle cx="12" cy="12" r="12" fill="#b7952f" />
      <path d="M8.8 6.5h3.4a5.5 5.5 0 0 1 0 11H8.8zM7 12h5.5" fill="none" stroke="#fff" strokeWidth="1.9" strokeLinejoin="round" strokeLinecap="round" />
    </>
  ),
  LINK: (
    <>
      <circle cx="12" cy="12" r="12" fill="#2f62d8" />
      <path d="m12 5.2 5.9 3.4v6.8L12 18.8l-5.9-3.4V8.6z" fill="none" stroke="#fff" strokeWidth="2.2" strokeLinejoin="round" />
    </>
  ),
  AERO: (
    <>
      <circle cx="12" cy="12" r="12" fill="#1f7fae" />
      <path d="m5.5 14.5 13-8-4 12-3.2-4.7z" fill="#fff" />
    </>
  ),
  USDC: (
    <>
      <circle cx="12" cy="12" r="12" fill="#2f6fb5" />
      <path
        d="M14.6 9.4c-.2-1-1.2-1.7-2.6-1.7s-2.6.7-2.6 1.9c0 2.9 5.3 1.6 5.3 4.6 0 1.3-1.2 2.1-2.7 2.1s-2.7-.8-2.8-1.9M12 6v1.7M12 16.3V18"
        fill="none"
        stroke="#fff"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </>
  ),
}

const fills = ['#7a4fc0', '#2c7f6f', '#a3543d', '#4668a8', '#8c4673', '#5b7330', '#2f7391', '#96652b'] as const

function pick(base: string): string {
  let sum = 0
  for (const letter of base) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return fills[sum % fills.length] ?? fills[0]
}

interface CoinProps {
  /** The base asset, for example "BTC". An unknown asset gets its first letters on a colour of its own. */
  readonly base: string
  readonly size?: 18 | 24
}

export function Coin({ base, size = 18 }: CoinProps) {
  const letters = base.replace(/^1?0*K?/, '').slice(0, 2) || base.slice(0, 2)
  return (
    <svg className={size === 24 ? cx(styles.coin, styles.size24) : styles.coin} viewBox="0 0 24 24" aria-hidden="true">
      {drawn[base.toUpperCase()] ?? (
        <>
          <circle cx="12" cy="12" r="12" fill={pick(base)} />
          <text x="12" y="15.6" textAnchor="middle" fontSize="10" fontWeight="600" fill="#fff">
            {letters.charAt(0).toUpperCase() + letters.slice(1).toLowerCase()}
          </text>
        </>
      )}
    </svg>
  )
}

/** A market's name, as the app shows it everywhere: the coin and the symbol. */
export function MarketName({ symbol, base }: { readonly symbol: string; readonly base?: string }) {
  return (
    <span className={styles.market}>
      <Coin base={base ?? symbol.split('-')[0] ?? symbol} />
      <b>
        <VisibleText text={symbol} />
      </b>
    </span>
  )
}

/** Shows long or short with an arrow, a word and a colour, never with colour alone. */
export function Side({ side, leverage }: { readonly side: 'long' | 'short'; readonly leverage?: string | number | null }) {
  return (
    <span className={cx(styles.side, styles[side])}>
      <Icon name={side === 'long' ? 'arrow-up-right' : 'arrow-down-right'} />
      {side === 'long' ? kitText.long : kitText.short}
      {leverage === undefined || leverage === null ? null : <span className={styles.leverage}>{leverage}×</span>}
    </span>
  )
}
