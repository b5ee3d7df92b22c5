import type { ReactNode } from 'react'
import { isCounted } from '../../shared/attention.ts'
import { LabLight } from '../ipc/lab-light.tsx'
import { useIpcCommand, useIpcQuery } from '../ipc/use-ipc.ts'
import { Icon, type IconName, Logo } from '../kit/icons/icon.tsx'
import { Link, usePlace } from '../kit/layout/navigation.tsx'
import textStyles from '../kit/text.module.css'
import partsStyles from '../parts/parts.module.css'
import { appText } from '../text/en/app.en.tsx'
import styles from './frame.module.css'
import { parsePlace } from './shell-store.ts'

interface EntryProps {
  readonly to: string
  readonly icon: IconName
  readonly label: string
  readonly children?: ReactNode
}

/**
 * Whether the address is that of the stop page (`trade/stop`, the kill switch). That page has its own rail entry, so the Trade entry is not
 * highlighted.
 */
const isStop = (name: string, rest: readonly string[]): boolean => name === 'trade' && rest[0] === 'stop'

function Entry({ to, icon, label, children }: EntryProps) {
  const { name, rest } = usePlace()
  const here = name === to && !isStop(name, rest)
  return (
    <li>
      <Link to={to} aria-current={here ? 'page' : undefined} title={label}>
        <Icon name={icon} />
        <span className={styles.railLabel}>{label}</span>
        {children}
      </Link>
    </li>
  )
}

/** The badge of a navigation entry: how many items of the attention list the entry's page resolves. */
function Waiting({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <>
      <span className={styles.railMark}>
        <span aria-hidden="true">{count}</span>
        <span className={textStyles.screenReaderOnly}> {appText.needAttention(count)}</span>
      </span>
      <span className={styles.railDot} />
    </>
  )
}

/** The app's main navigation. Shrinks to icons in a narrow window or when the user collapses it. */
export function Rail({ collapsed }: { readonly collapsed: boolean }) {
  const save = useIpcCommand('app.saveSettings')
  const { name, rest } = usePlace()
  const stopping = isStop(name, rest)
  const attention = useIpcQuery('app.attention', {})
  const keys = useIpcQuery('keys.list', {})
  const waiting = (attention.data ?? []).filter(isCounted).map(({ to }) => parsePlace(to))
  const at = (page: string) => waiting.filter((place) => place.name === page && !isStop(place.name, place.rest)).length
  return (
    <nav className={styles.rail} aria-label={appText.main}>
      <Link className={partsStyles.brand} to="overview" aria-label={appText.svcDeskOverview}>
        <Logo />
        <span className={styles.railLabel}>{appText.svcDesk}</span>
      </Link>
      <ul>
        <Entry to="overview" icon="overview" label={appText.overview}>
          <Waiting count={waiting.length} />
        </Entry>
        <Entry to="keys" icon="key" label={appText.keys}>
          {keys.data === undefined || keys.data.active === 0 ? null : <span className={styles.railCount}>{keys.data.active}</span>}
          <Waiting count={at('keys')} />
        </Entry>
        <Entry to="webhooks" icon="webhook" label={appText.webhooks}>
          <Waiting count={at('webhooks')} />
          <LabLight className={styles.railOn} />
        </Entry>
        <Entry to="account" icon="account" label={appText.account} />
        <Entry to="trade" icon="trade" label={appText.trade} />
        <Entry to="markets" icon="markets" label={appText.markets} />
        <Entry to="activity" icon="activity" label={appText.activity}>
          <Waiting count={at('activity')} />
        </Entry>
      </ul>
      <ul className={styles.railFoot}>
        <li>
          <Link to="trade/stop" className={styles.railStop} aria-current={stopping ? 'page' : undefined} title={appText.killSwitch}>
            <Icon name="stop" />
            <span className={styles.railLabel}>{appText.killSwitch}</span>
            <Waiting count={waiting.filter(({ name, rest }) => isStop(name, rest)).length} />
          </Link>
        </li>
        <Entry to="settings" icon="settings" label={appText.settings}>
          <Waiting count={at('settings')} />
        </Entry>
        <li className={styles.railCollapse}>
          <button
            type="button"
            title={collapsed ? appText.expand : appText.collapse}
            aria-expanded={!collapsed}
            onClick={() => save.mutate({ rail: collapsed ? 'open' : 'collapsed' })}
          >
            <Icon name={collapsed ? 'sidebar-open' : 'sidebar'} />
            <span className={styles.railLabel}>{appText.collapse}</span>
          </button>
        </li>
      </ul>
    </nav>
  )
}
