import type { Failure } from '../../shared/ipc/failure.ts'
import type { AccountSource } from '../../shared/ipc/reads/account-history.ts'
import { Button } from '../kit/button.tsx'
import { useNavigate } from '../kit/layout/navigation.tsx'
import { Banner } from '../kit/layout/note.tsx'
import { Panel } from '../kit/layout/panel.tsx'
import { Empty } from '../kit/layout/placeholders.tsx'
import { partsText } from '../text/en/parts.en.tsx'
import { failureText } from '../text/failure-text.ts'

/** Whether a request failed because no key on this computer has the needed scope. */
export const wantsKey = ({ kind }: Failure): boolean => kind === 'api_key_required' || kind === 'scope_missing'

/** Why the app read the account through the public route and not with a key. `null` if a key read it, or if the wallet is only watched. */
export const keptFromKey = (source: AccountSource | undefined): Failure | null => (source?.route === 'public' ? source.why : null)

/** How an account was read, in a few words: through the public routes, or with which key. */
export const sourceWords = (source: AccountSource): string =>
  source.route === 'public' ? partsText.fromPublicRoutes : source.keyLabel === null ? partsText.withAKey : partsText.withKey(source.keyLabel)

/** Explains why the app used no key, and what the user can do about this. */
export function PublicNote({ why }: { readonly why: Failure }) {
  const navigate = useNavigate()
  const keyless = wantsKey(why)
  return (
    <Banner
      icon="nokey"
      title={keyless ? partsText.noKeyReadsAccount : partsText.publicReason(failureText(why).title)}
      actions={
        keyless ? (
          <Button size="sm" icon="plus" onClick={() => navigate('keys/new')}>
            {partsText.newKey}
          </Button>
        ) : (
          <Button size="sm" onClick={() => navigate('keys')}>
            {partsText.keys}
          </Button>
        )
      }
    >
      {keyless ? partsText.publicNoteKeyless : partsText.publicNote}
    </Banner>
  )
}

const signedOutTitle = {
  keys: { signIn: partsText.signInToSeeKeys, connect: partsText.connectToSeeKeys },
  webhooks: { signIn: partsText.signInToSeeWebhooks, connect: partsText.connectToSeeWebhooks },
} as const

/** Shown in place of a list for which the user must sign in. `what`: what the list contains. */
export function SignedOut({ what, walletConnected }: { readonly what: 'keys' | 'webhooks'; readonly walletConnected: boolean }) {
  const navigate = useNavigate()
  return (
    <Panel>
      <Empty
        icon="user"
        title={signedOutTitle[what][walletConnected ? 'signIn' : 'connect']}
        actions={
          <Button variant="primary" icon={walletConnected ? 'user' : 'phone'} onClick={() => navigate(walletConnected ? 'sign-in' : 'connect')}>
            {walletConnected ? partsText.signIn : partsText.connectWallet}
          </Button>
        }
      >
        {what === 'keys' ? partsText.keysBelongToWallet : partsText.webhooksBelongToWallet}
      </Empty>
    </Panel>
  )
}
