import { useCallback, useState } from 'react'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import { ImportSheet } from './create/import-sheet.tsx'
import { NewKey } from './create/new-key.tsx'
import { RadarPage } from './expiry/radar-page.tsx'
import { KeySheetOver } from './key-action-sheet.tsx'
import { KeyDetail } from './key-detail.tsx'
import { initialView, type KeyView } from './key-view.ts'
import { LeaksPage } from './leaks/leaks-page.tsx'
import { KeyList } from './list/key-list.tsx'
import { PanicPage } from './revoke-all/panic-page.tsx'
import { underOf, underPlaces } from './sheet-place.ts'
import './keys.css'

/**
 * The keys of the wallet; `keys/new` is the way to a new one, `keys/import` to one that exists elsewhere, `keys/panic` revokes many, `keys/leaks`
 * looks for them in files, `keys/radar` shows what ends when, `keys/<id>` one key, `keys/<id>/extend` its sheet, and `keys/<id>/extend?over=list`
 * the sheet over the list.
 */
export function KeysPage() {
  const navigate = useNavigate()
  const { rest, query } = usePlace()
  // Kept while a key is looked at, so that going back finds the list as it was.
  const [view, setView] = useState<KeyView>(initialView)
  const onView = useCallback((change: Partial<KeyView>) => setView((before) => ({ ...before, ...change })), [])
  const [first, action] = rest
  if (first === 'new') return <NewKey />
  if (first === 'panic') return <PanicPage />
  if (first === 'leaks') return <LeaksPage />
  const under = action === undefined ? null : underOf(query)
  const isPage = first === undefined || first === 'import' || first === 'radar'
  if (!isPage && under === null) return <KeyDetail key={first} keyId={first} action={action ?? null} />
  return (
    <>
      {first === 'radar' || under === 'radar' ? <RadarPage /> : <KeyList view={view} onView={onView} />}
      {first === 'import' ? <ImportSheet onClose={() => navigate('keys')} /> : null}
      {isPage || under === null || action === undefined ? null : (
        <KeySheetOver key={first} keyId={first} action={action} onClose={() => navigate(underPlaces[under])} />
      )}
    </>
  )
}
