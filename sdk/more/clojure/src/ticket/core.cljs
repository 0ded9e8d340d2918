(ns ticket.core)

(enable-console-print!)

(defn claims
  "What this function answers becomes claims of the token."
  [{:keys [context environmentVariables api]}]
  ;; What a backend said about an impersonation; of other tokens there is nothing to say.
  (if-let [said (get-in context [:grant :subjectTokenContext])]
    (let [deny (:denyAccess api)
          ticket (or (:ticketId said) (deny "Name the ticket."))]
      (println "acting for ticket" ticket)
      {(str (:PREFIX environmentVariables) "ticket_id") ticket})
    {}))

(defn ^:export get-custom-jwt-claims [request]
  (clj->js (claims (js->clj request :keywordize-keys true))))
