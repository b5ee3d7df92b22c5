import { createHash } from 'node:crypto'
import { type Abi, type Address, encodeDeployData, getContractAddress, type Hex } from 'viem'
import artifacts from './artifacts.json' with { type: 'json' }

const artifact = (contract: { readonly abi: unknown; readonly bytecode: string }) => ({
  // The type of a JSON import is too general for an ABI. `build/scripts/contracts/compile-contracts.ts` writes the file, and its test
  // compares the file with a fresh compilation.
  abi: contract.abi as Abi,
  bytecode: contract.bytecode as Hex,
})

export const tokenArtifact = artifact(artifacts.PracticeUsd)
export const ownTokenArtifact = artifact(artifacts.PracticeToken)
export const routerArtifact = artifact(artifacts.DexRouter)

/** Changes whenever the contracts change, so that saved state of older contracts is never used. */
export const contractsVersion = [tokenArtifact, ownTokenArtifact, routerArtifact]
  .reduce((hash, { bytecode }) => hash.update(bytecode), createHash('sha256'))
  .digest('hex')
  .slice(0, 8)

/** The addresses of the contracts. They follow from the deployer's key, because its first three transactions create them. */
export const contractAddresses = (deployer: Address): { readonly usdc: Address; readonly router: Address; readonly svc: Address } => ({
  usdc: getContractAddress({ from: deployer, nonce: 0n }),
  router: getContractAddress({ from: deployer, nonce: 1n }),
  svc: getContractAddress({ from: deployer, nonce: 2n }),
})

export const tokenDeployment = (): Hex => encodeDeployData({ ...tokenArtifact, args: [] })
export const ownTokenDeployment = (): Hex => encodeDeployData({ ...ownTokenArtifact, args: [] })
export const routerDeployment = ({ usdc, svc, agent }: { usdc: Address; svc: Address; agent: Address }): Hex =>
  encodeDeployData({ ...routerArtifact, args: [usdc, svc, agent] })
