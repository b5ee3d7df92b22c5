import { Button } from '../../../kit/button.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { refusedText } from '../../../signing/wallet/refused-account.ts'
import { useRefusedAccount } from '../../../signing/wallet/wallet-provider.tsx'

/** Why Review cannot lead anywhere yet, and the one way on. */
export function Gate({ keyMissing, walletConnected }: { readonly keyMissing: boolean; readonly walletConnected: boolean }) {
  const navigate = useNavigate()
  const refused = useRefusedAccount()
  if (refused !== null) {
    return (
      <Note tone="warn" icon="account" title="Nothing can be signed with this account.">
        {refusedText(refused).remedy}
      </Note>
    )
  }
  if (!walletConnected) {
    return (
      <Note tone="accent" icon="phone" title="Connect your wallet to trade.">
        <p>Prices are public. An order is signed by your phone, each one.</p>
        <Button size="sm" variant="primary" onClick={() => navigate('connect')}>
          Connect wallet
        </Button>
      </Note>
    )
  }
  if (keyMissing) {
    return (
      <Note tone="accent" icon="key" title="Trading takes an API key.">
        <p>Prices come without one. A bot-ready key reads your account and prepares orders; it rests in the system keychain.</p>
        <Button size="sm" variant="primary" icon="plus" onClick={() => navigate('keys/new')}>
          Make a key
        </Button>
      </Note>
    )
  }
  return null
}
