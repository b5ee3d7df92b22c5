import { dialectProof } from '../../../e2e/proof/dialect-proof.ts'
import { fleetProof } from '../../../e2e/proof/fleet/fleet-proof.ts'
import { fuzzProof } from '../../../e2e/proof/fuzz-proof.ts'
import { gatewaysProof } from '../../../e2e/proof/gateways/gateways-proof.ts'
import { axeProof, killsProof, yearProof } from '../../../e2e/proof/journey-proofs.ts'
import { soakProof } from '../../../e2e/proof/soak-proof.ts'
import { inPrivateDesktop } from '../desktop.ts'
import { inRoot } from '../project.ts'
import { damageProof } from '../prove/damage-proof.ts'
import { mutantProof } from '../prove/mutant-proof.ts'
import { codeTree } from '../prove/progress.ts'
import type { Proof } from '../prove/proof.ts'
import { prove } from '../prove/prove.ts'

const inside = await inPrivateDesktop({ inMemory: true })
if (inside !== null) process.exit(inside)

const proofs: readonly Proof[] = [dialectProof, damageProof, fuzzProof, soakProof, axeProof, yearProof, killsProof, gatewaysProof, fleetProof, mutantProof]
const [name, ...chosen] = process.argv.slice(2)
const wanted = proofs.filter((proof) => name === undefined || proof.name === name)
if (wanted.length === 0) {
  process.stderr.write(`There is no proof ${name}. There are: ${proofs.map((proof) => proof.name).join(', ')}\n`)
  process.exit(2)
}

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort())

const tree = codeTree()
let proven = true
for (const proof of wanted) {
  if (interrupted.signal.aborted) break
  const file = inRoot('out/prove', `${proof.name}.json`)
  const print = (line: string) => process.stdout.write(`${line}\n`)
  if (!(await prove(proof, { chosen, file, tree, signal: interrupted.signal, print }))) proven = false
}
process.exit(interrupted.signal.aborted ? 130 : proven ? 0 : 1)
