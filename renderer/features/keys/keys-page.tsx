import { usePlace } from '../../ui/navigation.tsx'
import { KeyList } from './key-list.tsx'
import { NewKey } from './new-key.tsx'
import './keys.css'

/** The keys of the wallet, and the way to a new one at `keys/new`. */
export function KeysPage() {
  const { rest } = usePlace()
  return rest[0] === 'new' ? <NewKey /> : <KeyList selected={rest[0] ?? null} />
}
