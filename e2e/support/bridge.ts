import type { Page } from 'playwright-core'
import type { Bridge, Input, Name, Output } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Result } from '../../shared/result.ts'

/** Calls the main process through the page’s own bridge, as the page itself would. */
export async function callApp<N extends Name>(page: Page, name: N, input: Input<N>): Promise<Result<Output<N>, Failure>> {
  const result = await page.evaluate(
    async ([asked, given]) => {
      const { appBridge } = window as unknown as { readonly appBridge: Bridge } // safe cast: the preload defines `appBridge` on every page
      return (await appBridge.call(asked as Name, given as Input<Name>)).result
    },
    [name, input] as const,
  )
  return result as Result<Output<N>, Failure> // safe cast: main returns this type for this call
}

/** Calls the main process and returns the value. Throws if the call failed. */
export async function appValue<N extends Name>(page: Page, name: N, input: Input<N>): Promise<Output<N>> {
  const result = await callApp(page, name, input)
  if (!result.ok) throw new Error(`${name} failed: ${JSON.stringify(result.failure)}`)
  return result.value
}
