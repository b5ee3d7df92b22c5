import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import styles from './markets.module.css'

/** Markets that the user keeps at hand in this profile, in the order of choosing; empty until they are read. */
export const useFavourites = (): readonly number[] => useDeskQuery('markets.favourites', {}).data?.pairIds ?? []

/** Keeps a market at hand, or lets it go. */
export function FavouriteStar({ pairId, symbol, on }: { readonly pairId: number; readonly symbol: string; readonly on: boolean }) {
  const set = useDeskCommand('markets.setFavourite')
  return (
    <button
      type="button"
      className={on ? cx(styles.marketStar, styles.on) : styles.marketStar}
      aria-pressed={on}
      aria-label={`Favourite ${symbol}`}
      title={on ? 'Remove from favourites' : 'Add to favourites'}
      onClick={(event) => {
        event.stopPropagation()
        set.mutate({ pairId, favourite: !on })
      }}
    >
      <Icon name="star" />
    </button>
  )
}
