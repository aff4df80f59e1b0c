// SPDX-License-Identifier: Apache-2.0
/** The commands that read and change accounts: their credits, rates, statements, incomes and the audit. */
@NullMarked
package org.heddle.market.cli.account;

import org.jspecify.annotations.NullMarked;
