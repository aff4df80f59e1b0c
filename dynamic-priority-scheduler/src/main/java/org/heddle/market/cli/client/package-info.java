// SPDX-License-Identifier: Apache-2.0
/** What all commands of heddle market share: the connection, its credentials, messages, times and tables. */
@NullMarked
package org.heddle.market.cli.client;

import org.jspecify.annotations.NullMarked;
