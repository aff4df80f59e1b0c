// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** The users that may submit applications to a queue and so spend its credits. */
public enum SubmissionPolicy {
    /** Users in its access list; vouchers are not accepted. */
    ACL,
    /** Users in its access list, and users with a voucher. */
    ACL_OR_VOUCHER,
    /** Users with a voucher; all users if the queue admits all users. */
    VOUCHER,
    /** As {@link #ACL_OR_VOUCHER}, but nobody while the queue's account has no credit. */
    REFUSE_WITHOUT_CREDIT
}
