import { useCallback } from 'react'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import { CollateralSheet } from './collateral/collateral-sheet.tsx'
import { ContinueSheet } from './rows/continue-sheet.tsx'
import { tradeSheetOf, underTradeSheet } from './trade-sheet-place.ts'

/** The sheet that the address names over the trade page. Draws nothing where it names none. */
export function TradeSheets() {
  const navigate = useNavigate()
  const place = usePlace()
  const profiles = useDeskQuery('profiles.list', {})
  const sheet = tradeSheetOf(place)
  const under = sheet === null ? 'trade' : underTradeSheet(sheet, place.query)
  const close = useCallback(() => navigate(under), [navigate, under])
  if (sheet === null) return null
  const practice = profiles.data?.profiles.find((profile) => profile.id === profiles.data.activeId)?.kind === 'practice'
  if (sheet.kind === 'continue') return <ContinueSheet key={sheet.ref} reference={sheet.ref} practice={practice} onClose={close} />
  const over = under === 'trade' ? '' : `?over=${under}`
  return (
    <CollateralSheet
      direction={sheet.direction}
      token={sheet.token}
      practice={practice}
      onDirection={(direction) => navigate(`trade/collateral/${direction}${over}`)}
      onClose={close}
    />
  )
}
