// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// A wallet that is a contract with one owner. The owner signs what is bound to this wallet, so that no signature of one wallet counts for another.
contract ContractWallet is IERC1271 {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    /// What an entry point or a Safe does: the call reaches `to` from this wallet, in a transaction that somebody else sends.
    function execute(address to, bytes calldata data) external {
        require(msg.sender == owner, "not the owner");
        (bool done,) = to.call(data);
        require(done, "the call failed");
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bytes32 bound = keccak256(abi.encode(address(this), hash));
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(bound, signature);
        return failure == ECDSA.RecoverError.NoError && signer == owner ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
