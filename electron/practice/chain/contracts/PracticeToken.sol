// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Play money in place of the protocol's own token: 18 decimals and no permits.
contract PracticeToken is ERC20 {
    address private immutable _minter = msg.sender;

    error NotMinter();

    constructor() ERC20("Svc", "SVC") {}

    function mint(address to, uint256 amount) external {
        if (msg.sender != _minter) revert NotMinter();
        _mint(to, amount);
    }
}
