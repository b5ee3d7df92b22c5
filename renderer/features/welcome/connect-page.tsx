import { useEffect } from 'react'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Icon } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import textStyles from '../../kit/text.module.css'
import { useWallet, useWalletActions } from '../../signing/wallet/wallet-provider.tsx'
import { signInText } from '../../text/en/signIn.en.tsx'
import { ConnectPanel } from './connect-panel.tsx'
import { PracticeCard, PracticePhoneCard } from './practice-card.tsx'
import styles from './welcome.module.css'
import { FirstFrame } from './welcome-page.tsx'

/** Connects a wallet: shows a code to scan and, in practice mode, a phone that scans it. */
export function ConnectPage() {
  const list = useIpcQuery('profiles.list', {})
  const active = list.data?.profiles.find((profile) => profile.id === list.data.activeId)
  const status = useWallet((state) => state.status)
  const { connect } = useWalletActions()
  const navigate = useNavigate()
  const kind = status.kind

  useEffect(() => {
    if (kind === 'idle') void connect()
    if (kind === 'connected' || kind === 'refused') navigate('overview')
  }, [kind, connect, navigate])

  return (
    <FirstFrame
      topic="connect"
      end={
        <>
          {active === undefined ? null : (
            <span className={styles.firstHost} title={active.hostUrl ?? undefined}>
              <Icon name={active.kind === 'practice' ? 'flask' : 'server'} size={14} />
              <span className={textStyles.mono}>{(active.hostUrl ?? active.name).replace(/^https?:\/\//, '')}</span>
            </span>
          )}
          <Button variant="ghost" size="sm" icon="eye" onClick={() => navigate('overview')}>
            {signInText.lookAroundFirst}
          </Button>
          <IconButton icon="settings" label={signInText.settings} size="sm" onClick={() => navigate('settings')} />
        </>
      }
    >
      <ConnectPanel />
      {active?.kind === 'practice' ? <PracticePhoneCard uri={status.kind === 'waiting' ? status.uri : null} /> : <PracticeCard />}
    </FirstFrame>
  )
}
