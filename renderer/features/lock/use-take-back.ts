import { useEffect, useState } from 'react'
import type { Input, Name } from '../../../shared/ipc/contract.ts'
import type { HandOver } from '../../../shared/ipc/host/lock.ts'
import { type DeskCall, useDeskCall } from '../../ipc/use-desk.ts'

/** Gives the commands again that the lock kept from main. The wallet's store is whole before anything reads it; the rest goes its own way. */
async function goOn(call: DeskCall, calls: HandOver['calls']): Promise<void> {
  // A cast at the boundary: main held each against the contract.
  const again = ({ name, input }: HandOver['calls'][number]) => call(name as Name, JSON.parse(input) as Input<Name>)
  for (const write of calls) if (write.name === 'wallet.storageSet') await again(write)
  for (const command of calls) if (command.name !== 'wallet.storageSet') void again(command)
}

/** Takes over what the page before left when the app locked; true once that is done. */
export function useTakeBack(putBack: (left: HandOver) => void): boolean {
  const call = useDeskCall()
  const [done, setDone] = useState(false)
  useEffect(() => {
    void (async () => {
      const left = await call('lock.takeBack', {})
      if (left.ok && left.value !== null) {
        putBack(left.value)
        await goOn(call, left.value.calls)
      }
      setDone(true)
    })()
  }, [call, putBack])
  return done
}
