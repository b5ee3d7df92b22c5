import { Empty } from '../kit/layout/empty.tsx'
import { Page, Panel } from '../kit/layout/panel.tsx'
import { shorten } from '../kit/short.ts'
import type { RefusedAccount } from '../signing/wallet/refused-account.ts'

const titles: Readonly<Record<string, string>> = { overview: 'Overview', keys: 'Keys', activity: 'Activity' }

/** In the place of a page that shows a wallet's things, while the phone shows an account that this profile does not take. */
export function RefusedPage({ name, account }: { readonly name: string; readonly account: RefusedAccount }) {
  return (
    <Page title={titles[name] ?? 'Not shown'}>
      <Panel>
        <Empty icon="account" title={`Nothing is shown for ${shorten(account.wallet.address)}`}>
          What this page shows belongs to {shorten(account.expected)}. It is here again as soon as the phone is back on that account.
        </Empty>
      </Panel>
    </Page>
  )
}
