// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer.Operation;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.master.state.OfferRequirements;
import org.heddle.offers.master.state.RoleNames;
import org.jspecify.annotations.Nullable;

/** Checks of a scheduler's call that need no state. */
public final class CallValidator {
    private static final int LONGEST_NAME = 255;

    private CallValidator() {}

    /** The reason why the call is not valid, in the words of the API, or null. */
    public static @Nullable String problem(Call call) {
        if (!call.hasType()) {
            return "Expecting 'type' to be present";
        }
        boolean named = !call.getFrameworkId().getValue().isEmpty();
        if (call.getType() == Call.Type.SUBSCRIBE) {
            if (!call.hasSubscribe()) {
                return "Expecting 'subscribe' to be present";
            }
            FrameworkInfo info = call.getSubscribe().getFrameworkInfo();
            if (!info.getId().getValue().equals(call.getFrameworkId().getValue())) {
                return "'framework_id' differs from 'subscribe.framework_info.id'";
            }
            String problem = infoProblem(info);
            if (problem == null) {
                return OfferRequirements.problem(info, call.getSubscribe().getOfferConstraints());
            }
            return problem;
        }
        if (!named) {
            return "Expecting 'framework_id' to be present";
        }
        return switch (call.getType()) {
            case ACCEPT -> call.hasAccept() ? operationProblem(call.getAccept()) : missing("accept");
            case DECLINE -> call.hasDecline() ? null : missing("decline");
            case ACCEPT_INVERSE_OFFERS -> call.hasAcceptInverseOffers() ? null : missing("accept_inverse_offers");
            case DECLINE_INVERSE_OFFERS -> call.hasDeclineInverseOffers() ? null : missing("decline_inverse_offers");
            case KILL -> call.hasKill() ? null : missing("kill");
            case SHUTDOWN -> call.hasShutdown() ? null : missing("shutdown");
            case ACKNOWLEDGE -> {
                if (!call.hasAcknowledge()) {
                    yield missing("acknowledge");
                }
                int bytes = call.getAcknowledge().getUuid().size();
                yield bytes == 16 ? null : "Expecting 'acknowledge.uuid' to be 16 bytes, it has " + bytes;
            }
            case RECONCILE -> call.hasReconcile() ? null : missing("reconcile");
            case MESSAGE -> call.hasMessage() ? null : missing("message");
            case REQUEST -> call.hasRequest() ? null : missing("request");
            case UPDATE_FRAMEWORK -> {
                if (!call.hasUpdateFramework()) {
                    yield missing("update_framework");
                }
                yield updateProblem(call.getFrameworkId().getValue(), call.getUpdateFramework());
            }
            case ACKNOWLEDGE_OPERATION_STATUS ->
                call.hasAcknowledgeOperationStatus() ? null : missing("acknowledge_operation_status");
            case RECONCILE_OPERATIONS -> call.hasReconcileOperations() ? null : missing("reconcile_operations");
            case SUBSCRIBE, TEARDOWN, REVIVE, SUPPRESS, UNKNOWN -> null;
        };
    }

    private static @Nullable String updateProblem(String frameworkId, Call.UpdateFramework update) {
        FrameworkInfo info = update.getFrameworkInfo();
        if (info.hasId() && !info.getId().getValue().equals(frameworkId)) {
            return "'framework_id' differs from 'update_framework.framework_info.id'";
        }
        String problem = infoProblem(info);
        return problem == null ? OfferRequirements.problem(info, update.getOfferConstraints()) : problem;
    }

    private static String missing(String field) {
        return "Expecting '" + field + "' to be present";
    }

    @SuppressWarnings("deprecation") // the one way or the other to name roles
    private static @Nullable String infoProblem(FrameworkInfo info) {
        if (info.getName().isEmpty()) {
            return "'FrameworkInfo.name' must not be empty";
        }
        if (info.getFailoverTimeout() < 0 || !Double.isFinite(info.getFailoverTimeout())) {
            return "'FrameworkInfo.failover_timeout' is " + info.getFailoverTimeout() + ": want a finite number >= 0";
        }
        boolean multiRole = info.getCapabilitiesList().stream()
                .anyMatch(one -> one.getType() == FrameworkInfo.Capability.Type.MULTI_ROLE);
        if (multiRole ? info.hasRole() : info.getRolesCount() > 0) {
            if (multiRole) {
                return "'FrameworkInfo.role' must not be set when the framework is MULTI_ROLE capable";
            }
            return "'FrameworkInfo.roles' must not be set when the framework is not MULTI_ROLE capable";
        }
        for (String role : RoleNames.of(info)) {
            // A part of names in the log, which have a limit.
            if (role.length() > LONGEST_NAME) {
                return "A role has " + role.length() + " characters: want up to " + LONGEST_NAME;
            }
            if (!role.equals("*") && !role.matches("[A-Za-z0-9_][A-Za-z0-9_./-]*")) {
                return "Role '" + role + "' is invalid: want letters, digits, and . _ - / within";
            }
        }
        String id = info.getId().getValue();
        if (id.length() > LONGEST_NAME || !id.matches("[A-Za-z0-9_.:-]*") || id.equals(".") || id.equals("..")) {
            return "Framework ID '" + id + "' is invalid: want up to " + LONGEST_NAME + " letters, digits, and . _ : -";
        }
        return null;
    }

    private static @Nullable String operationProblem(Call.Accept accept) {
        for (Operation operation : accept.getOperationsList()) {
            boolean supported =
                    operation.getType() == Operation.Type.LAUNCH || operation.getType() == Operation.Type.LAUNCH_GROUP;
            if (!supported && !operation.hasId()) {
                return "Operation " + operation.getType() + " is not supported by the offer bridge: YARN has neither"
                        + " reservations of this kind nor volumes";
            }
            if (operation.getType() == Operation.Type.LAUNCH && !operation.hasLaunch()) {
                return missing("launch");
            }
            if (operation.getType() == Operation.Type.LAUNCH_GROUP && !operation.hasLaunchGroup()) {
                return missing("launch_group");
            }
        }
        return null;
    }
}
