import { Icon } from './icons/icon.tsx'

/** Long or short: arrow, word and colour, never colour alone. */
export function Side({ side, leverage }: { readonly side: 'long' | 'short'; readonly leverage?: string | number | null }) {
  return (
    <span className={`side ${side}`}>
      <Icon name={side === 'long' ? 'arrow-up-right' : 'arrow-down-right'} />
      {side === 'long' ? 'Long' : 'Short'}
      {leverage === undefined || leverage === null ? null : <span className="side-x">{leverage}×</span>}
    </span>
  )
}
