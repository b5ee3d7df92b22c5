import { intentDetail } from '../pages/activity.ts'
import { openCollateral, openUnknownDeposit, reviewCollateral } from '../pages/collateral.ts'
import { createCustomKey } from '../pages/keys.ts'
import { expectKeyStored } from '../pages/new-key.ts'
import { asksToSend } from '../pages/phone.ts'
import { pair, signIn } from '../pages/ready.ts'
import { sendToWallet, signingSheet } from '../pages/signing.ts'
import { setCode } from '../support/receipt.ts'
import type { Studio } from './shots-studio.ts'

export async function takeContractShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  const phone = await pair(desk)
  await signIn(page, phone)
  await createCustomKey(page, { label: 'treasury', preset: 'Treasury' })
  await expectKeyStored(page, 'treasury')
  await setCode(practice.descriptor.rpcUrl, practice.descriptor.walletAddress, '0x6001')
  const sheet = await openCollateral(page, 'Deposit')
  await sheet.getByText('Your wallet is a contract').waitFor()
  await sheet.getByRole('textbox', { name: 'Amount' }).fill('500')
  await shoot('contract-deposit', { narrow: true })
  await reviewCollateral(page, { amount: '500', way: 'One signature' })
  await signingSheet(page).getByRole('button', { name: 'Send to wallet' }).waitFor()
  await shoot('contract-permit', { narrow: true })
  await signingSheet(page).getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Escape')
  await openCollateral(page, 'Deposit')
  await reviewCollateral(page, { amount: '500' })
  await signingSheet(page).getByRole('button', { name: 'Send to wallet' }).waitFor()
  await shoot('contract-transactions', { narrow: true })
  await sendToWallet(page)
  await phone.asks(asksToSend)
  await shoot('contract-waiting')
  await openUnknownDeposit(page, practice)
  await shoot('contract-unknown', { narrow: true })
  await intentDetail(page).getByRole('button', { name: 'Mark as not sent' }).click()
  await shoot('contract-ended-by-word')
}
