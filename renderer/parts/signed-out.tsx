import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/layout/empty.tsx'
import { useNavigate } from '../kit/layout/navigation.tsx'
import { Panel } from '../kit/layout/panel.tsx'

/** In place of a list that only a developer session may read. `what`: what is listed, in lower case. */
export function SignedOut({ what, walletConnected }: { readonly what: 'keys' | 'webhooks'; readonly walletConnected: boolean }) {
  const navigate = useNavigate()
  return (
    <Panel>
      <Empty
        icon="user"
        title={walletConnected ? `Sign in to see your ${what}` : `Connect a wallet to see its ${what}`}
        actions={
          <Button variant="primary" icon={walletConnected ? 'user' : 'phone'} onClick={() => navigate(walletConnected ? 'sign-in' : 'connect')}>
            {walletConnected ? 'Sign in' : 'Connect wallet'}
          </Button>
        }
      >
        {what === 'keys' ? 'Keys' : 'Webhooks'} belong to a wallet. One free signature proves that it is yours; it sends no transaction and lasts four hours.
      </Empty>
    </Panel>
  )
}
