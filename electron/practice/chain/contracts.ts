import { createHash } from 'node:crypto'
import { type Abi, type Address, encodeDeployData, getContractAddress, type Hex } from 'viem'
import artifacts from './artifacts.json' with { type: 'json' }

const artifact = (contract: { readonly abi: unknown; readonly bytecode: string }) => ({
  // The cast is needed because TypeScript infers too general a type for a JSON import. `build/scripts/contracts/compile-contracts.ts` writes this
  // JSON file, and a test compares the file with a fresh compilation of the contracts.
  abi: contract.abi as Abi,
  bytecode: contract.bytecode as Hex,
})

export const tokenArtifact = artifact(artifacts.PracticeUsd)
export const ownTokenArtifact = artifact(artifacts.PracticeToken)
export const routerArtifact = artifact(artifacts.DexRouter)

/** Identifies the version of the contracts. A chain state that was saved with another version is not used. */
export const contractsVersion = [tokenArtifact, ownTokenArtifact, routerArtifact]
  .reduce((hash, { bytecode }) => hash.update(bytecode), createHash('sha256'))
  .digest('hex')
  .slice(0, 8)

/**
 * Computes the addresses of the contracts. The deployer creates them in its first three transactions, so each address depends only on the deployer’s
 * own address.
 */
export const contractAddresses = (deployer: Address): { readonly usdc: Address; readonly router: Address; readonly svc: Address } => ({
  usdc: getContractAddress({ from: deployer, nonce: 0n }),
  router: getContractAddress({ from: deployer, nonce: 1n }),
  svc: getContractAddress({ from: deployer, nonce: 2n }),
})

export const tokenDeployment = (): Hex => encodeDeployData({ ...tokenArtifact, args: [] })
export const ownTokenDeployment = (): Hex => encodeDeployData({ ...ownTokenArtifact, args: [] })
export const routerDeployment = ({ usdc, svc, agent }: { usdc: Address; svc: Address; agent: Address }): Hex =>
  encodeDeployData({ ...routerArtifact, args: [usdc, svc, agent] })
