import { type AnchorHTMLAttributes, createContext, type MouseEvent, type ReactNode, useContext } from 'react'
import { changePercent, multiply, negate } from '../../../shared/decimal.ts'
import type { Position } from '../../../shared/ipc/reads/account.ts'

/** The window's address: `activity/<ref>?tab=requests` has the name `activity`, rest `['<ref>']` and query `{ tab: 'requests' }`. */
export interface Place {
  readonly name: string
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export interface Navigation {
  readonly place: Place
  /** Opens a page: `navigate('keys/new')`. `connect`, `sign-in` and `notices` work from everywhere; the last two open over the page. */
  readonly navigate: (to: string) => void
}

const NavigationContext = createContext<Navigation | null>(null)

export function NavigationProvider({ value, children }: { readonly value: Navigation; readonly children: ReactNode }) {
  return <NavigationContext value={value}>{children}</NavigationContext>
}

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext)
  if (navigation === null) throw new Error('useNavigation needs a NavigationProvider above it')
  return navigation
}

export const useNavigate = (): Navigation['navigate'] => useNavigation().navigate

export const usePlace = (): Place => useNavigation().place

export function Link({
  to,
  onClick,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { readonly to: string; readonly children: ReactNode }) {
  const navigate = useNavigate()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a href={`#/${to}`} onClick={follow} {...rest}>
      {children}
    </a>
  )
}

/** A position's profit in percent of its margin; `null` if the entry price, mark price or leverage is unknown. */
export function returnOn(position: Pick<Position, 'entryPrice' | 'leverage' | 'side'>, mark: string | null): string | null {
  if (position.entryPrice === null || mark === null || position.leverage === null) return null
  const change = changePercent(position.entryPrice, mark, 4)
  if (change === null) return null
  return multiply(position.side === 'long' ? change : negate(change), position.leverage)
}
