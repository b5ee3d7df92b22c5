import type { ReactNode } from 'react'
import type { Breaker } from '../../shared/ipc/reads/market-state.ts'
import { second } from '../../shared/time.ts'
import { useDeskCommand, useDeskQuery } from '../ipc/use-desk.ts'
import { Button } from '../kit/button.tsx'
import { useNavigate, usePlace } from '../kit/layout/navigation.tsx'
import { Banner } from '../kit/layout/note.tsx'
import { shorten } from '../kit/number.tsx'
import { Time } from '../kit/time/time.tsx'
import { VisibleText } from '../kit/visible-text.tsx'
import { useWallet, useWalletActions } from '../signing/wallet/wallet-provider.tsx'
import { type RefusedAccount, refusedText } from '../signing/wallet/wallet-state.ts'
import { breakerName } from '../text/service-state.ts'
import styles from './frame.module.css'
import { chainName } from './top-bar.tsx'

const Framed = ({ children }: { readonly children: ReactNode }) => <div className={styles.frameBanner}>{children}</div>

function Refused({ account, practice }: { readonly account: RefusedAccount; readonly practice: boolean }) {
  const { disconnect } = useWalletActions()
  const showPhone = useDeskCommand('practice.showPhone')
  const { title, why, remedy } = refusedText(account)
  return (
    <Framed>
      <Banner
        tone="warn"
        icon="account"
        title={title}
        actions={
          <>
            {practice ? (
              <Button size="xs" icon="phone" onClick={() => showPhone.mutate({})}>
                Show the phone
              </Button>
            ) : null}
            <Button size="xs" onClick={() => void disconnect()}>
              Unpair
            </Button>
          </>
        }
      >
        {why} {remedy}
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
        title={`The phone went from ${shorten(from)} to ${shorten(to)}.`}
        actions={
          <Button size="xs" onClick={noteSwitch}>
            Understood
          </Button>
        }
      >
        Keys, orders and sign-in are those of {shorten(to)} now. What {shorten(from)} has stays on this computer; go back to it on the phone to see it.
      </Banner>
    </Framed>
  )
}

/** Pages that show what is known of a wallet without it. */
const showsOrders: ReadonlySet<string> = new Set(['overview', 'trade', 'activity'])

/** Without a wallet, what is on this computer is shown all the same: whose it is must be said. */
function LastUsed() {
  const shown = useDeskQuery('wallet.shown', {})
  const { name } = usePlace()
  const navigate = useNavigate()
  const address = shown.data?.connected === false ? shown.data.address : null
  if (address === null || !showsOrders.has(name)) return null
  return (
    <Framed>
      <Banner
        icon="account"
        title="No wallet is connected."
        actions={
          <Button size="xs" onClick={() => navigate('connect')}>
            Connect
          </Button>
        }
      >
        Orders and keys that you see here are those of {shorten(address)}, the last wallet on this computer.
      </Banner>
    </Framed>
  )
}

/** Across every page: whose wallet it is where that is not plain, and what stands between the user and a signature. */
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
          title={`The wallet is on ${chainName(status.wallet.chainId)}.`}
          actions={
            <Button size="xs" onClick={() => void switchChain()}>
              Switch to {chainName(status.expected)}
            </Button>
          }
        >
          This exchange lives on {chainName(status.expected)}; nothing is sent to the wallet until it is there too.
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
          <Banner icon="relay" title="The wallet relay is out of reach.">
            Reading goes on. Signing works again as soon as it is back; it is tried every few seconds.
          </Banner>
        </Framed>
      ) : null}
    </>
  )
}

/** A name or a reason may be of any length; all of it stands on the Markets page. */
const cut = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 159)}…`)

/** One safety switch: why, and since when. */
function Why({ breaker: { name, reason, sinceMs, seenAtMs }, several }: { readonly breaker: Breaker; readonly several: boolean }) {
  return (
    <span className={styles.breaker}>
      {several ? (
        <b>
          <VisibleText text={cut(breakerName(name))} />:{' '}
        </b>
      ) : null}
      {reason === null ? 'The exchange gives no reason' : <VisibleText text={cut(reason)} />}
      {sinceMs === null ? ', first seen ' : ', since '}
      <Time ms={sinceMs ?? seenAtMs} />.{' '}
    </span>
  )
}

/** Across every page, for as long as the exchange has stopped something: what, why and since when. */
export function BreakerBanner() {
  const read = useDeskQuery('markets.breakers', {}, { every: 15 * second })
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
        title={
          several ? (
            `The exchange has tripped ${tripped.length} circuit breakers.`
          ) : (
            <>The exchange has tripped a circuit breaker: {<VisibleText text={cut(breakerName(first.name))} />}.</>
          )
        }
        actions={
          <Button size="xs" onClick={() => navigate('markets/exchange')}>
            Show
          </Button>
        }
      >
        {tripped.map((breaker) => (
          <Why key={breaker.name} breaker={breaker} several={several} />
        ))}
        {read.error === null ? null : 'It could not be read again. '}
      </Banner>
    </div>
  )
}
