import { useCallback, useState } from 'react'
import { useNavigate, usePlace } from '../../ui/navigation.tsx'
import { ImportSheet } from './import-sheet.tsx'
import { KeyDetail } from './key-detail.tsx'
import { KeyList } from './key-list.tsx'
import { initialView, type KeyView } from './key-view.ts'
import { NewKey } from './new-key.tsx'
import { PanicPage } from './panic-page.tsx'
import './keys.css'

/**
 * The keys of the wallet; `keys/new` is the way to a new one, `keys/import` to one that exists elsewhere, `keys/panic` revokes many, `keys/<id>` shows
 * one, `keys/<id>/extend` its sheet.
 */
export function KeysPage() {
  const navigate = useNavigate()
  const { rest } = usePlace()
  // Kept while a key is looked at, so that going back finds the list as it was.
  const [view, setView] = useState<KeyView>(initialView)
  const onView = useCallback((change: Partial<KeyView>) => setView((before) => ({ ...before, ...change })), [])
  const [first, action] = rest
  if (first === 'new') return <NewKey />
  if (first === 'panic') return <PanicPage />
  if (first !== undefined && first !== 'import') return <KeyDetail key={first} keyId={first} action={action ?? null} />
  return (
    <>
      <KeyList view={view} onView={onView} />
      {first === 'import' ? <ImportSheet onClose={() => navigate('keys')} /> : null}
    </>
  )
}
