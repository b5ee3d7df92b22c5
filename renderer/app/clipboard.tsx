import { type ReactNode, useCallback } from 'react'
import { useDeskCall } from '../ipc/use-desk.ts'
import { CopyProvider } from '../kit/copy-button.tsx'

/** Copy buttons go through main: the page itself has no clipboard. */
export function Clipboard({ children }: { readonly children: ReactNode }) {
  const call = useDeskCall()
  const copy = useCallback(async (text: string) => (await call('app.copyText', { text })).ok, [call])
  return <CopyProvider copy={copy}>{children}</CopyProvider>
}
