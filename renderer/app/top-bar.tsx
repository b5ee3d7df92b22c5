import type { Health } from '../../shared/ipc/host/app.ts'
import { useDeskQuery } from '../ipc/use-desk.ts'
import { Icon } from '../kit/icons/icon.tsx'
import { Keys } from '../kit/keys.tsx'
import { Link } from '../kit/layout/navigation.tsx'
import { useWallet } from '../signing/wallet/wallet-provider.tsx'
import type { RelayLight } from '../signing/wallet/wallet-state.ts'
import { ProfileMenu } from './profile-menu.tsx'
import { SessionButton } from './session-button.tsx'
import { useShell } from './shell.tsx'
import { WalletChip } from './wallet-chip.tsx'

const service = {
  up: { dot: 'ok', words: 'up' },
  slow: { dot: 'warn', words: 'slow' },
  down: { dot: 'bad', words: 'down' },
  unknown: { dot: 'off', words: 'not asked yet' },
} as const

const relay: Readonly<Record<RelayLight, { readonly dot: string; readonly words: string }>> = {
  up: { dot: 'ok', words: 'connected' },
  connecting: { dot: 'warn', words: 'connecting' },
  down: { dot: 'bad', words: 'out of reach' },
  off: { dot: 'off', words: 'not needed now' },
}

function Light({ name, dot, words, to }: { readonly name: string; readonly dot: string; readonly words: string; readonly to?: string }) {
  const light = (
    <>
      <span className={`dot ${dot}`} aria-hidden="true" />
      {name}
      <span className="sr"> {words}</span>
    </>
  )
  return <li title={`${name} ${words}`}>{to === undefined ? light : <Link to={to}>{light}</Link>}</li>
}

/** With two hosts it says which one answers; the second alone is worth a look. */
function serviceLight(health: Health | undefined): { readonly dot: string; readonly words: string } {
  const light = service[health?.service ?? 'unknown']
  const bySecond = health?.hosts.find(({ which, answering }) => which === 'second' && answering)
  if (bySecond === undefined || health?.service === 'down') return light
  return { dot: 'warn', words: `${light.words}, by its second host ${bySecond.host}` }
}

export function Lights() {
  const health = useDeskQuery('app.health', {}, { every: 5_000 })
  const light = useWallet((state) => state.relay)
  return (
    <ul className="lights" aria-label="Connections">
      <Light name="Service" to="settings/service" {...serviceLight(health.data)} />
      <Light name="Relay" {...relay[light]} />
    </ul>
  )
}

export function TopBar() {
  const show = useShell((state) => state.show)
  return (
    <header className="bar">
      <ProfileMenu />
      <button type="button" className="find" onClick={() => show('palette')} title="Search or run a command (Ctrl K)">
        <Icon name="search" />
        <span>Search or run a command</span>
        <Keys keys={['Ctrl', 'K']} />
      </button>
      <div className="bar-end">
        <Lights />
        <SessionButton />
        <WalletChip />
      </div>
    </header>
  )
}
