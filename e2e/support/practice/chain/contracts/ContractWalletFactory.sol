// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ContractWallet} from "./ContractWallet.sol";

/// Creates wallets at addresses that are known before: what ERC-6492 is for.
contract ContractWalletFactory {
    bytes32 private constant SALT = bytes32(0);

    function create(address owner) external returns (address) {
        return address(new ContractWallet{salt: SALT}(owner));
    }

    function addressOf(address owner) external view returns (address) {
        bytes32 code = keccak256(bytes.concat(type(ContractWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), SALT, code)))));
    }
}
