// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// Play money shaped like USDC: 6 decimals and EIP-2612 permits.
contract PracticeUsd is ERC20Permit {
    address private immutable _minter = msg.sender;

    error NotMinter();

    constructor() ERC20("USD Coin", "USDC") ERC20Permit("USD Coin") {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        if (msg.sender != _minter) revert NotMinter();
        _mint(to, amount);
    }
}
