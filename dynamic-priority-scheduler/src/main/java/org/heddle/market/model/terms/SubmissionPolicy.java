// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** Who may submit applications to a queue, and so spend its credits. */
public enum SubmissionPolicy {
    /** Whom its list admits; vouchers do not count. */
    ACL,
    /** Whom its list admits, and who brings a voucher. */
    ACL_OR_VOUCHER,
    /** Who brings a voucher; into a queue that admits everybody, everybody. */
    VOUCHER
}
