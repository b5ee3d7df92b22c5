import type { ReactNode } from 'react'
import type { Breaker } from '../../shared/ipc/reads/market-state.ts'
import { second } from '../../shared/time.ts'
import { useIpcCommand, useIpcQuery } from '../ipc/use-ipc.ts'
import { Button } from '../kit/button.tsx'
import { useNavigate, usePlace } from '../kit/layout/navigation.tsx'
import { Banner } from '../kit/layout/note.tsx'
import { shorten } from '../kit/number.tsx'
import { Time } from '../kit/time/time.tsx'
import { readableName, VisibleText } from '../kit/visible-text.tsx'
import { AddressText } from '../parts/line-value.tsx'
import { useWallet, useWalletActions } from '../signing/wallet/wallet-provider.tsx'
import { type RefusedAccount, refusedText } from '../signing/wallet/wallet-state.ts'
import { appText } from '../text/en/app.en.tsx'
import styles from './frame.module.css'
import { chainName } from './top-bar.tsx'

const Framed = ({ children }: { readonly children: ReactNode }) => <div className={styles.frameBanner}>{children}</div>

function Refused({ account, practice }: { readonly account: RefusedAccount; readonly practice: boolean }) {
  const { disconnect } = useWalletActions()
  const showPhone = useIpcCommand('practice.showPhone')
  const { title, why, remedy } = refusedText(account)
  return (
    <Framed>
      <Banner
        tone="warn"
        icon="account"
        title={<AddressText text={title} picture={false} />}
        actions={
          <>
            {practice ? (
              <Button size="xs" icon="phone" onClick={() => showPhone.mutate({})}>
                {appText.showPhone}
              </Button>
            ) : null}
            <Button size="xs" onClick={() => void disconnect()}>
              {appText.unpair}
            </Button>
          </>
        }
      >
        {why} <AddressText text={remedy} picture={false} />
      </Banner>
    </Framed>
  )
}

function Switched({ from, to }: { readonly from: string; readonly to: string }) {
  const { noteSwitch } = useWalletActions()
  return (
    <Framed>
      <Banner
        icon="swap"
        title={<AddressText text={appText.phoneSwitched(from, to)} picture={false} />}
        actions={
          <Button size="xs" onClick={noteSwitch}>
            {appText.understood}
          </Button>
        }
      >
        {appText.phoneSwitchedEffect(shorten(to), shorten(from))}
      </Banner>
    </Framed>
  )
}

/** Pages that show a wallet's data even when no wallet is connected. */
const showsOrders: ReadonlySet<string> = new Set(['overview', 'trade', 'activity'])

/** Names the wallet whose stored data the app shows while no wallet is connected. */
function LastUsed() {
  const shown = useIpcQuery('wallet.shown', {})
  const { name } = usePlace()
  const navigate = useNavigate()
  const address = shown.data?.connected === false ? shown.data.address : null
  if (address === null || !showsOrders.has(name)) return null
  return (
    <Framed>
      <Banner
        icon="account"
        title={appText.noWallet}
        actions={
          <Button size="xs" onClick={() => navigate('connect')}>
            {appText.connect}
          </Button>
        }
      >
        {appText.lastWalletShown(shorten(address))}
      </Banner>
    </Framed>
  )
}

/** Shown on every page: names the wallet if it isn't clear which one is meant, and warns if something prevents signing. */
export function WalletBanner({ practice }: { readonly practice: boolean }) {
  const status = useWallet((state) => state.status)
  const relay = useWallet((state) => state.relay)
  const switchedFrom = useWallet((state) => state.switchedFrom)
  const { switchChain } = useWalletActions()
  if (status.kind === 'refused') return <Refused account={status} practice={practice} />
  if (status.kind === 'wrong_chain') {
    return (
      <Framed>
        <Banner
          tone="warn"
          icon="swap"
          title={appText.walletOnChain(chainName(status.wallet.chainId))}
          actions={
            <Button size="xs" onClick={() => void switchChain()}>
              {appText.switchTo(chainName(status.expected))}
            </Button>
          }
        >
          {appText.wrongChainEffect(chainName(status.expected))}
        </Banner>
      </Framed>
    )
  }
  if (status.kind === 'restoring') return null
  if (status.kind !== 'connected') return <LastUsed />
  return (
    <>
      {switchedFrom === null ? null : <Switched from={switchedFrom} to={status.wallet.address} />}
      {relay === 'down' ? (
        <Framed>
          <Banner icon="relay" title={appText.relayDown}>
            {appText.relayDownEffect}
          </Banner>
        </Framed>
      ) : null}
    </>
  )
}

/** Shown on every page while the exchange does not respond, or responds with errors. */
export function OutageBanner() {
  const outage = useIpcQuery('app.health', {}, { every: 5 * second }).data?.outage ?? null
  const navigate = useNavigate()
  return outage === null ? null : (
    <Framed>
      <Banner
        tone="danger"
        icon="server"
        title={outage.how === 'errors' ? appText.exchangeErrors : appText.exchangeSilent}
        actions={
          <Button size="xs" onClick={() => navigate('settings/service')}>
            {appText.show}
          </Button>
        }
      >
        {appText.exchangeDownEffect(<Time ms={outage.sinceMs} />)}
      </Banner>
    </Framed>
  )
}

/** Shortens a safety switch's name or reason. The Markets page shows the full text. */
const cut = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 159)}…`)

/** One safety switch of the exchange: its reason and when it was triggered. */
function Why({ breaker: { name, reason, sinceMs, seenAtMs }, several }: { readonly breaker: Breaker; readonly several: boolean }) {
  const time = <Time ms={sinceMs ?? seenAtMs} />
  return (
    <span className={styles.breaker}>
      {several ? (
        <b>
          <VisibleText text={cut(readableName(name))} />:{' '}
        </b>
      ) : null}
      {reason === null
        ? (sinceMs === null ? appText.noReasonFirstSeen : appText.noReasonSince)(time)
        : (sinceMs === null ? appText.stoppedFirstSeen : appText.stoppedSince)(<VisibleText text={cut(reason)} />, time)}{' '}
    </span>
  )
}

/** Shown on every page while a safety switch has stopped something on the exchange: what, why and since when. */
export function BreakerBanner() {
  const read = useIpcQuery('markets.breakers', {}, { every: 15 * second })
  const navigate = useNavigate()
  const tripped = read.data?.breakers.filter((breaker) => breaker.tripped === true) ?? []
  const [first] = tripped
  if (first === undefined) return null
  const several = tripped.length > 1
  return (
    <div className={styles.frameBanner}>
      <Banner
        tone="warn"
        icon="stop"
        title={several ? appText.breakersTripped(tripped.length) : appText.breakerTripped(<VisibleText text={cut(readableName(first.name))} />)}
        actions={
          <Button size="xs" onClick={() => navigate('markets/exchange')}>
            {appText.show}
          </Button>
        }
      >
        {tripped.map((breaker) => (
          <Why key={breaker.name} breaker={breaker} several={several} />
        ))}
        {read.error === null ? null : appText.breakersNotRefreshed}
      </Banner>
    </div>
  )
}
