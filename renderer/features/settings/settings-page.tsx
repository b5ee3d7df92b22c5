import { useEffect } from 'react'
import { usePlace } from '../../kit/layout/navigation.tsx'
import { Page } from '../../kit/layout/panel.tsx'
import { AboutPanel } from './about-panel.tsx'
import { AppearancePanel } from './appearance-panel.tsx'
import { ExchangesPanel } from './exchange/exchanges-panel.tsx'
import { FieldMapPanel } from './exchange/field-map-panel.tsx'
import { ServiceCheckPanel } from './exchange/service-check-panel.tsx'
import { ServicePanel } from './exchange/service-panel.tsx'
import { GuardsPanel } from './guards-panel.tsx'
import { LockPanel } from './lock-panel.tsx'
import { TerminalPanel } from './terminal-panel.tsx'
import { WalletPanel } from './wallet-panel.tsx'
import './settings.css'

/** What the user chooses: exchanges, look, the wallet's relay, and what this build is. `settings/wallet` leads to that panel. */
export function SettingsPage() {
  const { rest, query } = usePlace()
  const part = rest[0]
  useEffect(() => {
    if (part !== undefined) document.getElementById(`settings-${part}`)?.scrollIntoView({ block: 'start' })
  }, [part])
  return (
    <Page title="Settings" className="settings">
      <ExchangesPanel adding={query.add === '1'} />
      <GuardsPanel />
      <ServicePanel />
      <ServiceCheckPanel />
      <FieldMapPanel />
      <AppearancePanel />
      <LockPanel />
      <WalletPanel />
      <TerminalPanel />
      <AboutPanel />
    </Page>
  )
}
